//===- PrintFusionCodes.cpp - makes the page of the fusion's codes --------===//

#include <cstdio>
#include <cstring>

namespace {
struct Code {
  const char *code, *kind, *name, *meaning, *cure;
};

constexpr Code codes[] = {
#define MLAFUSE_FUSION_CODE(Id, Code, Kind, Name, Meaning, Cure)               \
  {Code, #Kind, Name, Meaning, Cure},
#include "MLAFuse/Transforms/FusionCodes.def"
};

void printCodes(FILE *file, const char *kind, bool withCure) {
  fputs(withCure ? "| code | name | why | cure |\n|---|---|---|---|\n"
                 : "| code | name | what |\n|---|---|---|\n",
        file);
  for (const Code &code : codes) {
    if (strcmp(code.kind, kind) != 0)
      continue;
    fprintf(file, "| `%s` | %s | %s |", code.code, code.name, code.meaning);
    if (withCure)
      fprintf(file, " %s |", code.cure);
    fputc('\n', file);
  }
}
} // namespace

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "w") : nullptr;
  if (!file) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 1;
  }
  fputs("<!-- Made of include/MLAFuse/Transforms/FusionCodes.def; edits are "
        "lost -->\n\n# Codes of the fusion's remarks\n\n"
        "A code keeps its meaning for ever; a new rule gets a new code. "
        "[Fusions](../Fusions.md) says what a candidate is.\n\n"
        "## Fused\n\n",
        file);
  printCodes(file, "Passed", /*withCure=*/false);
  fputs("\n## Not fused\n\n", file);
  printCodes(file, "Missed", /*withCure=*/true);
  return fclose(file) == 0 ? 0 : 1;
}
