/** Calls whose answers are the reference server's, in an order in which they make sense: some change what others see. */

export interface ComparedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

function read(path: string, more: object = {}): ComparedCall {
  return { tool: 'read_text_file', args: { path, ...more } }
}
function write(path: string, content: string): ComparedCall {
  return { tool: 'write_file', args: { path, content } }
}
function edit(
  path: string,
  edits: readonly (readonly [string, string])[],
  more: object = {},
): ComparedCall {
  const list = edits.map(([oldText, newText]) => ({ oldText, newText }))
  return { tool: 'edit_file', args: { path, edits: list, ...more } }
}
function move(source: string, destination: string): ComparedCall {
  return { tool: 'move_file', args: { source, destination } }
}
function on(tool: string, path: string, more: object = {}): ComparedCall {
  return { tool, args: { path, ...more } }
}
function search(path: string, pattern: string, excludePatterns?: readonly string[]): ComparedCall {
  return on('search_files', path, { pattern, ...(excludePatterns && { excludePatterns }) })
}
function tree(path: string, excludePatterns?: readonly string[]): ComparedCall {
  return on('directory_tree', path, excludePatterns && { excludePatterns })
}

/** `ROOT` stands for the allowed directory, `OUTSIDE` for its neighbour. */
export const comparedCalls: readonly ComparedCall[] = [
  read('ROOT/a.txt'),
  read('a.txt'),
  read('sub/b.md'),
  read('ROOT/a.txt', { head: 2 }),
  read('ROOT/a.txt', { head: 5 }),
  read('ROOT/a.txt', { head: 100 }),
  read('ROOT/a.txt', { head: 0 }),
  read('ROOT/a.txt', { head: -1 }),
  read('ROOT/a.txt', { head: 1.5 }),
  read('ROOT/a.txt', { tail: 1 }),
  read('ROOT/a.txt', { tail: 2 }),
  read('ROOT/a.txt', { tail: 100 }),
  read('ROOT/a.txt', { tail: 0 }),
  read('ROOT/a.txt', { head: 2, tail: 2 }),
  read('ROOT/crlf.txt'),
  read('ROOT/crlf.txt', { head: 2 }),
  read('ROOT/crlf.txt', { tail: 2 }),
  read('ROOT/long.txt', { tail: 3 }),
  read('ROOT/long.txt', { head: 3 }),
  read('ROOT/empty.txt'),
  read('ROOT/empty.txt', { head: 2 }),
  read('ROOT/empty.txt', { tail: 2 }),
  read('ROOT/latin.txt'),
  read('ROOT/nope.txt'),
  read('ROOT/nodir/nope.txt'),
  read('ROOT/sub'),
  read('ROOT/a.txt/'),
  read('ROOT/a.txt/x'),
  read(''),
  read('.'),
  read('/etc/passwd'),
  read('OUTSIDE/secret.txt'),
  read('ROOT/../root_evil/secret.txt'),
  read('../root_evil/secret.txt'),
  read('ROOT/link-in'),
  read('ROOT/link-out'),
  read('ROOT/dir-in/b.md'),
  read('ROOT/dir-out/secret.txt'),
  read('ROOT/a\0.txt'),
  read('C:\\Windows\\system.ini'),
  read('~/somewhere'),
  on('read_file', 'ROOT/a.txt', { head: 1 }),
  on('read_media_file', 'ROOT/picture.png'),
  on('read_media_file', 'ROOT/picture.SVG'),
  on('read_media_file', 'ROOT/sound.mp3'),
  on('read_media_file', 'ROOT/sound.flac'),
  on('read_media_file', 'ROOT/bytes.bin'),
  on('read_media_file', 'ROOT/a.txt'),
  on('read_media_file', 'ROOT/sub'),
  on('read_media_file', 'ROOT/nope.png'),
  {
    tool: 'read_multiple_files',
    args: { paths: ['ROOT/a.txt', 'ROOT/nope', '/etc/passwd', 'ROOT/sub'] },
  },
  { tool: 'read_multiple_files', args: { paths: ['a.txt'] } },
  on('list_directory', 'ROOT'),
  on('list_directory', 'ROOT/sub'),
  on('list_directory', 'ROOT/empty'),
  on('list_directory', 'ROOT/dir-in'),
  on('list_directory', '.'),
  on('list_directory', 'ROOT/a.txt'),
  on('list_directory', 'ROOT/nope'),
  on('list_directory', 'ROOT/dir-out'),
  on('list_directory_with_sizes', 'ROOT/sizes'),
  on('list_directory_with_sizes', 'ROOT/sizes', { sortBy: 'size' }),
  on('list_directory_with_sizes', 'ROOT/empty'),
  tree('ROOT'),
  tree('ROOT/empty'),
  tree('ROOT', ['sub']),
  tree('ROOT', ['*.txt', 'sizes']),
  tree('ROOT', ['**/*.txt']),
  tree('ROOT', ['sub/deep']),
  tree('ROOT', ['deep']),
  tree('ROOT', ['sub/*']),
  tree('ROOT/a.txt'),
  search('ROOT', '*.txt'),
  search('ROOT', '**/*.txt'),
  search('ROOT', '**/.h*'),
  search('ROOT', '**'),
  search('ROOT', '**/*', ['sub']),
  search('ROOT', '**/*', ['*.txt']),
  search('ROOT', '**/*', ['**/*.txt', 'sizes/**']),
  search('ROOT', 'sub/**'),
  search('ROOT', 'sub/**/c.txt'),
  search('ROOT', '**/deep/**'),
  search('ROOT', 'sub'),
  search('ROOT', 'SUB'),
  search('ROOT', '**/*.{md,png}'),
  search('ROOT', '**/*.@(md|png)'),
  search('ROOT', '[a-c]*.txt'),
  search('ROOT', '[!a]*.txt'),
  search('ROOT', '?.txt'),
  search('ROOT', '!**/*.txt'),
  search('ROOT', 'nothing'),
  search('ROOT/sub', '**/c.txt'),
  search('ROOT/dir-in', '**/*'),
  search('ROOT/nope', '*'),
  write('ROOT/w.txt', 'first'),
  write('ROOT/w.txt', 'second'),
  read('ROOT/w.txt'),
  write('w-relative.txt', 'x'),
  write('ROOT/link-in', 'through the link\n'),
  read('ROOT/a.txt'),
  write('ROOT/link-out', 'x'),
  write('ROOT/dir-out/new.txt', 'x'),
  write('ROOT/dir-in/new.txt', 'x'),
  write('ROOT/nodir/new.txt', 'x'),
  write('/etc/new.txt', 'x'),
  edit('ROOT/w.txt', [['second', 'third']]),
  edit('ROOT/w.txt', [['third', '```fenced']], { dryRun: true }),
  read('ROOT/w.txt'),
  edit('ROOT/w.txt', [['absent', 'x']]),
  edit('ROOT/w.txt', []),
  edit('ROOT/w.txt', [['third', '$& $1 $$']]),
  read('ROOT/w.txt'),
  edit('ROOT/code.py', [
    ['  return 2', '  return 4'],
    ['return 4', 'return 5'],
  ]),
  edit('ROOT/code.py', [['if x:', 'if y:']]),
  edit('ROOT/code.py', [['pass   ', 'go()']]),
  read('ROOT/code.py'),
  edit('ROOT/crlf.txt', [['one\r\ntwo', 'ONE\r\nTWO']]),
  edit('ROOT/sub/b.md', [['# B', '````']]),
  edit('ROOT/long.txt', [
    ['line 500\n', 'line five hundred\n'],
    ['line 10\n', ''],
  ]),
  edit('ROOT/nope', [['a', 'b']]),
  edit('ROOT/sub', []),
  on('create_directory', 'ROOT/n1/n2'),
  on('create_directory', 'ROOT/n1'),
  on('create_directory', 'ROOT/a.txt'),
  on('create_directory', '/etc/n'),
  on('create_directory', 'ROOT/dir-out/n'),
  move('ROOT/w.txt', 'ROOT/w2.txt'),
  move('ROOT/w2.txt', 'ROOT/a.txt'),
  move('ROOT/w2.txt', 'ROOT/sub'),
  move('ROOT/nope', 'ROOT/z'),
  move('ROOT/w2.txt', 'ROOT/nodir/w'),
  move('ROOT/w2.txt', '/etc/x'),
  move('ROOT/n1', 'ROOT/sub/n3'),
  move('ROOT/link-out', 'ROOT/z'),
  tree('ROOT/sub'),
  on('get_file_info', 'ROOT/w2.txt'),
  on('get_file_info', 'ROOT/sub'),
  on('get_file_info', 'ROOT'),
  on('get_file_info', 'ROOT/link-in'),
  on('get_file_info', 'ROOT/nope'),
  on('get_file_info', 'ROOT/link-out'),
  { tool: 'list_allowed_directories', args: {} },
]
