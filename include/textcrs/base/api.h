#pragma once

// In front of `namespace textcrs` in every public header, and in the few private ones that
// libtextcrs_torch needs: what is declared there can be used from outside of libtextcrs. Everything
// else is hidden.
#define TEXTCRS_API [[gnu::visibility("default")]]
