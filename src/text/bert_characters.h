// Code points as BERT's tokenizer sees them: the general categories of Unicode 8.0, whatever the
// version of utf8proc, because the published models were trained with these.
#pragma once

namespace textcrs {

bool is_bert_control(char32_t code);      // Cc, Cf, Co, but \t \n \r; not Cn
bool is_bert_mark(char32_t code);         // Mn
bool is_bert_punctuation(char32_t code);  // P* and the ASCII symbols
bool is_bert_chinese(char32_t code);
bool is_white_space(char32_t code);  // Unicode's White_Space

}  // namespace textcrs
