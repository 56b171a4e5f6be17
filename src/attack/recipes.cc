#include "textcrs/attack/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "attack/constraints.h"
#include "attack/goals.h"
#include "attack/searches.h"
#include "attack/transformations.h"
#include "attack/window_similarity.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/text/word_lists.h"

namespace textcrs {
namespace {

// Every parameter that some recipe has, with its default there.
struct Parameters {
  int candidates = 50;       // edits that are tried in a place, or a step
  double cosine = 0.5;       // of replacements, at least
  double similarity = 0.84;  // angular, of the windows; 0: any, and nothing is encoded
  int window = 15;           // words
  double share = 1;          // of the words that may be edited,
  int least = 0;             // or so many words if these are more
  int steps = 5;             // in vain, before a random search ends
  int words = 3;             // of a trigger; that a reduction leaves
  int rounds = 2;            // of the search for a trigger
  std::string form = "flip";
};

using Known = std::vector<std::string>;  // the names of a recipe's parameters

struct Recipe {
  RecipeKind kind;  // its usage is made from the defaults
  Parameters defaults;
  Known known;
  RecipeNeeds needs;
  void (*assemble)(const Parameters&, const RecipeParts&, AttackParts&);
};

Parameters parse(const Recipe& recipe, const Spec& spec) {
  spec.allow_only(recipe.known);
  Parameters p = recipe.defaults;
  const auto number = [&](const char* key, double& value, double low, double high) {
    if (spec.has(key)) value = spec.number(key, low, high);
  };
  p.candidates = spec.integer_or("candidates", p.candidates, 1, 100'000);
  number("cosine", p.cosine, -1, 1);
  number("similarity", p.similarity, 0, 1);
  p.window = spec.integer_or("window", p.window, 1, 100'000);
  number("share", p.share, 0, 1);
  p.least = spec.integer_or("least", p.least, 0, 1'000'000);
  p.steps = spec.integer_or("steps", p.steps, 1, 1'000'000);
  p.words = spec.integer_or("words", p.words, 1, 1000);
  p.rounds = spec.integer_or("rounds", p.rounds, 1, 1000);
  p.form = spec.choice_or(
      "form", p.form,
      recipe.kind.name == "frontier" ? Known{"beyond", "inside"} : Known{"flip", "keep"});
  return p;
}

std::string spec_of(const Recipe& recipe, const Parameters& p) {
  std::string spec;
  for (const std::string& key : recipe.known) {
    const std::string value = key == "candidates"   ? std::to_string(p.candidates)
                              : key == "cosine"     ? shortest(p.cosine)
                              : key == "similarity" ? shortest(p.similarity)
                              : key == "window"     ? std::to_string(p.window)
                              : key == "share"      ? shortest(p.share)
                              : key == "least"      ? std::to_string(p.least)
                              : key == "steps"      ? std::to_string(p.steps)
                              : key == "words"      ? std::to_string(p.words)
                              : key == "rounds"     ? std::to_string(p.rounds)
                                                    : p.form;
    spec += fmt::format("{}{}={}", spec.empty() ? ":" : ",", key, value);
  }
  return recipe.kind.name + spec;
}

void add_similarity(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  if (p.similarity == 0) return;
  attack.similarity =
      make_window_similarity(*parts.encoder, static_cast<size_t>(p.window), p.similarity);
}

void add_most_edits(const Parameters& p, AttackParts& attack) {
  attack.constraints.push_back(make_most_edits_constraint(p.share, static_cast<size_t>(p.least)));
}

void leave_stop_and_edited_words(AttackParts& attack) {
  attack.constraints.push_back(make_stop_word_constraint(english_stop_words()));
  attack.constraints.push_back(make_once_constraint());
}

void textfooler(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_ranked_search();
  attack.transformation = make_synonym_replacement(*parts.replacements);
  leave_stop_and_edited_words(attack);
  attack.constraints.push_back(make_part_of_speech_constraint(*parts.parts_of_speech));
  add_most_edits(p, attack);
  add_similarity(p, parts, attack);
}

void word_reorder(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search =
      make_random_search(static_cast<size_t>(p.candidates), static_cast<size_t>(p.steps));
  attack.transformation = make_word_swap();
  leave_stop_and_edited_words(attack);
  add_most_edits(p, attack);
  add_similarity(p, parts, attack);
}

void synonym_insert(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search =
      make_random_search(static_cast<size_t>(p.candidates), static_cast<size_t>(p.steps));
  attack.transformation = make_synonym_insertion(*parts.synonyms);
  add_most_edits(p, attack);
  add_similarity(p, parts, attack);
}

void bae_insert(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_ranked_search();
  attack.transformation = make_masked_insertion(*parts.masked_words, p.candidates);
  leave_stop_and_edited_words(attack);
  add_most_edits(p, attack);
  add_similarity(p, parts, attack);
}

void input_reduction(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search =
      p.form == "keep" ? make_reduction_search(static_cast<size_t>(p.words)) : make_ranked_search();
  attack.transformation = make_word_deletion();
  if (p.form == "keep") return;  // any word may go: what is left is often a word or two
  attack.constraints.push_back(make_stop_word_constraint(english_stop_words()));
  add_most_edits(p, attack);
  add_similarity(p, parts, attack);
}

void good_words(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_appending_search(*parts.class_words, static_cast<size_t>(p.candidates));
  add_most_edits(p, attack);
}

void universal_trigger(const Parameters&, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_phrase_search(parts.phrase);
}

void frontier(const Parameters& p, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_frontier_search(parts.budgets, *parts.class_words,
                                       static_cast<size_t>(p.candidates), p.form == "beyond");
}

void worst_case(const Parameters&, const RecipeParts& parts, AttackParts& attack) {
  attack.search = make_proposal_search(parts.worst);
}

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> list = {
      {{"textfooler", "", "words replaced by synonyms, the most needed words first"},
       {},
       {"candidates", "cosine", "similarity", "window", "share", "least"},
       {.replacements = true, .parts_of_speech = true, .encoder = true},
       textfooler},
      {{"word-reorder", "", "words swapped at random, the best swap of each step"},
       {.share = 0.1, .least = 4},
       {"candidates", "similarity", "window", "share", "least", "steps"},
       {.encoder = true},
       word_reorder},
      {{"synonym-insert", "", "synonyms of words of the text inserted, the best of each step"},
       {.share = 0.1, .least = 8},
       {"candidates", "similarity", "window", "share", "least", "steps"},
       {.synonyms = true, .encoder = true},
       synonym_insert},
      {{"bae-insert", "", "words inserted that a masked language model proposes"},
       {.share = 0.1, .least = 8},
       {"candidates", "similarity", "window", "share", "least"},
       {.encoder = true, .masked_words = true},
       bae_insert},
      {{"input-reduction", "",
        "words deleted: the most needed first, to change the answer, or with form=keep the least "
        "needed, as long as it holds"},
       {.share = 0.2, .least = 4, .words = 1},
       {"form", "similarity", "window", "share", "least", "words"},
       {.encoder = true},
       input_reduction},
      {{"universal-trigger", "", "one phrase in front of every text, which changes most answers"},
       {},
       {"words", "candidates", "rounds"},
       {.class_words = true, .phrase = true},
       universal_trigger},
      {{"good-words", "", "words of the other classes appended, those that turn the text most"},
       {.share = 0.1, .least = 8},
       {"candidates", "share", "least"},
       {.class_words = true},
       good_words},
      {{"worst-case", "", "against votes: the edits that are proved to be enough"},
       {},
       {},
       {.worst = true},
       worst_case},
      {{"frontier", "",
        "against a certificate: as many words deleted and inserted as it just allows, and "
        "form=beyond more"},
       {.form = "beyond"},
       {"form", "candidates"},
       {.class_words = true, .budgets = true},
       frontier},
  };
  return list;
}

const Recipe& find_recipe(const Spec& spec) {
  for (const Recipe& recipe : recipes())
    if (recipe.kind.name == spec.name()) return recipe;
  std::string names;
  for (const Recipe& recipe : recipes()) names += (names.empty() ? "" : ", ") + recipe.kind.name;
  throw usage_error(fmt::format("{}: no such attack, expected {}", spec.name(), names));
}

RecipeNeeds needs_with(const Recipe& recipe, const Parameters& p) {
  RecipeNeeds needs = recipe.needs;
  needs.encoder = needs.encoder && p.similarity > 0 && p.form != "keep";
  needs.candidates = p.candidates;
  needs.cosine = p.cosine;
  needs.trigger = {.words = static_cast<size_t>(p.words),
                   .candidates = static_cast<size_t>(p.candidates),
                   .rounds = p.rounds};
  return needs;
}

void check_parts(const RecipeNeeds& needs, const RecipeParts& parts) {
  const bool missing = (needs.replacements && parts.replacements == nullptr) ||
                       (needs.synonyms && parts.synonyms == nullptr) ||
                       (needs.parts_of_speech && parts.parts_of_speech == nullptr) ||
                       (needs.encoder && parts.encoder == nullptr) ||
                       (needs.masked_words && parts.masked_words == nullptr) ||
                       (needs.class_words && parts.class_words == nullptr) ||
                       (needs.phrase && parts.phrase.empty()) ||
                       (needs.budgets && !parts.budgets) || (needs.worst && !parts.worst);
  if (missing) throw std::logic_error("make_attack: a part that the recipe needs is missing");
}

}  // namespace

RecipeNeeds needs_of(std::string_view recipe) {
  const Spec spec = Spec::parse(recipe);
  const Recipe& found = find_recipe(spec);
  return needs_with(found, parse(found, spec));
}

std::string full_spec(std::string_view recipe) {
  const Spec spec = Spec::parse(recipe);
  const Recipe& found = find_recipe(spec);
  return spec_of(found, parse(found, spec));
}

Attack make_attack(std::string_view recipe, const RecipeParts& parts, const AttackLimits& limits) {
  const Spec spec = Spec::parse(recipe);
  const Recipe& found = find_recipe(spec);
  const Parameters p = parse(found, spec);
  check_parts(needs_with(found, p), parts);
  AttackParts attack;
  attack.goal = make_flip_goal();
  found.assemble(p, parts, attack);
  return Attack(std::move(attack), limits);
}

const std::vector<RecipeKind>& recipe_kinds() {
  static const std::vector<RecipeKind> kinds = [] {
    std::vector<RecipeKind> list;
    for (const Recipe& recipe : recipes()) {
      list.push_back(recipe.kind);
      list.back().usage = spec_of(recipe, recipe.defaults);
    }
    return list;
  }();
  return kinds;
}

}  // namespace textcrs
