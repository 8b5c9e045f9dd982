/* The two ways in. Under libFuzzer the environment names the target. In a plain build each named
 * file is run once, for the target that its folder is named after, so the corpus is a regression
 * test; that main is weak, so libFuzzer's own main wins. */
#include "CFuzzMain.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    const char *target = getenv("FUZZ_TARGET");
    if (target && fuzz_choose(target)) return 0;
    fprintf(stderr, "FUZZ_TARGET names no target\n");
    exit(2);
}

static int choose(const char *path) {
    char *copy = strdup(path);
    int known = copy && fuzz_choose(basename(dirname(copy)));
    if (!known) fprintf(stderr, "%s: its folder is not named after a target\n", path);
    free(copy);
    return known;
}

static int run_file(const char *path) {
    if (!choose(path)) return 1;
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); return 1; }
    /* Read back when an input stops the program. */
    fprintf(stderr, "%s\n", path);
    size_t capacity = 1 << 20;
    uint8_t *bytes = malloc(capacity);
    size_t size = bytes ? fread(bytes, 1, capacity, file) : 0;
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 0;
}

int Fuzzer_main(int argc, char **argv) {
    int failures = 0;
    for (int i = 1; i < argc; i++) failures += run_file(argv[i]);
    printf("%d inputs replayed\n", argc - 1 - failures);
    return failures != 0;
}
