/* A main for fuzz targets that are built without libFuzzer: it runs each named file once, so the
 * corpus is a regression test of the plain build. It is weak, so libFuzzer's own main wins. */
#include "CFuzzMain.h"

#include <stdio.h>
#include <stdlib.h>

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); return 1; }
    size_t capacity = 1 << 20;
    uint8_t *bytes = malloc(capacity);
    size_t size = bytes ? fread(bytes, 1, capacity, file) : 0;
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 0;
}

int WireFuzzer_main(int argc, char **argv) {
    int failures = 0;
    for (int i = 1; i < argc; i++) failures += run_file(argv[i]);
    printf("%d inputs replayed\n", argc - 1 - failures);
    return failures != 0;
}
