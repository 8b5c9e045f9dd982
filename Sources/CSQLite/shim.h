/* The system's libsqlite3, and what Swift cannot read of its header. */
#ifndef CALLBROKER_CSQLITE_H
#define CALLBROKER_CSQLITE_H

#include <sqlite3.h>

/* A text that SQLite copies: SQLITE_TRANSIENT is a cast, which Swift does not import. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int bytes) {
    return sqlite3_bind_text(statement, place, text, bytes, SQLITE_TRANSIENT);
}

/* A variadic function. Whether the last who closes a file carries over what was written ahead of it. */
static inline int csqlite_checkpoint_on_close(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

#endif
