#include "text/irregular_forms.h"

namespace textcrs {
namespace {

constexpr std::string_view kNouns =
    "analysis analyses; appendix appendices; axis axes; basis bases; calf calves; "
    "cactus cacti; child children; crisis crises; criterion criteria; curriculum curricula; "
    "datum data; diagnosis diagnoses; elf elves; emphasis emphases; foot feet; fungus fungi; "
    "goose geese; grandchild grandchildren; half halves; hypothesis hypotheses; index indices; "
    "knife knives; leaf leaves; life lives; loaf loaves; louse lice; matrix matrices; "
    "medium media; mouse mice; nucleus nuclei; oasis oases; ox oxen; parenthesis parentheses; "
    "person people; phenomenon phenomena; quiz quizzes; radius radii; scarf scarves; "
    "self selves; sheaf sheaves; shelf shelves; stimulus stimuli; stratum strata; "
    "synopsis synopses; synthesis syntheses; thesis theses; thief thieves; tooth teeth; "
    "vertex vertices; wharf wharves; wife wives; wolf wolves";

constexpr std::string_view kVerbs =
    "arise arose arisen; awake awoke awoken; be am are is was were been being; "
    "bear bore borne born; beat beaten; become became; befall befell befallen; "
    "begin began begun; behold beheld; bend bent; bereave bereft; beset beset; "
    "bid bade bidden; bind bound; bite bit bitten; bleed bled; blow blew blown; "
    "break broke broken; breed bred; bring brought; broadcast broadcast; build built; "
    "burn burnt; burst burst; buy bought; cast cast; catch caught; choose chose chosen; "
    "cleave cleft clove cloven; cling clung; come came; cost cost; creep crept; cut cut; "
    "deal dealt; dig dug; dive dove; do did done does; draw drew drawn; dream dreamt; "
    "drink drank drunk; drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; "
    "feed fed; feel felt; fight fought; find found; flee fled; fling flung; "
    "fly flew flown flies; forbid forbade forbidden; forecast forecast; "
    "foresee foresaw foreseen; foretell foretold; forget forgot forgotten; "
    "forgive forgave forgiven; forgo forwent forgone; forsake forsook forsaken; "
    "freeze froze frozen; get got gotten; give gave given; go went gone goes; grind ground; "
    "grow grew grown; hang hung; have had has; hear heard; hide hid hidden; hit hit; "
    "hold held; hurt hurt; keep kept; kneel knelt; know knew known; lay laid; lead led; "
    "lean leant; leap leapt; learn learnt; leave left; lend lent; let let; lie lay lain lying; "
    "light lit; lose lost; make made; mean meant; meet met; mislead misled; "
    "mistake mistook mistaken; misunderstand misunderstood; mow mown; outdo outdid outdone; "
    "outgrow outgrew outgrown; overcome overcame; overdo overdid overdone; overhear overheard; "
    "overrun overran; oversee oversaw overseen; overtake overtook overtaken; "
    "overthrow overthrew overthrown; partake partook partaken; pay paid; prove proven; "
    "put put; quit quit; read read; rebuild rebuilt; redo redid redone; remake remade; "
    "rend rent; repay repaid; rethink rethought; retell retold; rewrite rewrote rewritten; "
    "rid rid; ride rode ridden; ring rang rung; rise rose risen; run ran; saw sawn; say said; "
    "see saw seen; seek sought; sell sold; send sent; set set; sew sewn; shake shook shaken; "
    "shear shorn; shed shed; shine shone; shoot shot; show shown; shrink shrank shrunk; "
    "shut shut; sing sang sung; sink sank sunk; sit sat; slay slew slain; sleep slept; "
    "slide slid; sling slung; slink slunk; slit slit; smell smelt; smite smote smitten; "
    "sow sown; speak spoke spoken; speed sped; spell spelt; spend spent; spill spilt; "
    "spin spun span; spit spat; split split; spoil spoilt; spread spread; "
    "spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; "
    "stink stank stunk; stride strode stridden; strike struck stricken; string strung; "
    "strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; "
    "swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; "
    "thrive throve thriven; throw threw thrown; thrust thrust; tread trod trodden; "
    "undergo underwent undergone; understand understood; undertake undertook undertaken; "
    "undo undid undone; unwind unwound; uphold upheld; upset upset; wake woke woken; "
    "wear wore worn; weave wove woven; weep wept; win won; wind wound; "
    "withdraw withdrew withdrawn; withhold withheld; withstand withstood; wring wrung; "
    "write wrote written; die dying; tie tying; vie vying; untie untying; belie belying; "
    "singe singeing; dye dyeing";

constexpr std::string_view kAdjectives =
    "bad worse worst; far farther farthest further furthest; good better best; "
    "ill worse worst; little less least; many more most; much more most; old elder eldest";

constexpr std::string_view kAdverbs =
    "badly worse worst; far farther farthest further furthest; little less least; "
    "much more most; well better best";

}  // namespace

std::string_view irregular_nouns() { return kNouns; }
std::string_view irregular_verbs() { return kVerbs; }
std::string_view irregular_adjectives() { return kAdjectives; }
std::string_view irregular_adverbs() { return kAdverbs; }

}  // namespace textcrs
