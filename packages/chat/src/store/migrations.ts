/** The steps from an empty file to the tables of today. One that was released is never changed; new ones follow. */
export const migrations: readonly (readonly string[])[] = [
  [
    `create table conversations (
      number integer primary key autoincrement, id text not null unique,
      title text not null, is_named integer not null, model text not null,
      turns integer not null, bytes integer not null,
      created_at integer not null, changed_at integer not null)`,
    'create index conversations_changed on conversations (changed_at, id)',
    `create table entries (
      number integer primary key autoincrement,
      conversation integer not null references conversations (number) on delete cascade,
      turn integer not null, entry text not null)`,
    'create index entries_of on entries (conversation, number)',
    `create virtual table title_words using fts5 (title,
      content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
    `create virtual table entry_words using fts5 (text,
      content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
  ],
  // Versions of a conversation: one that was edited or tried again keeps its earlier turns in another.
  [
    'alter table conversations add column thread text',
    'alter table conversations add column parent text',
    'alter table conversations add column parent_turn integer',
    'create index conversations_thread on conversations (thread, number)',
  ],
]
