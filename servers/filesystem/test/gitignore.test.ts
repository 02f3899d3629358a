import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { createPlace, open, textOf } from './support.ts'

const paths =
  `a.log|b.txt|debug.log|build/x.o|build/keep/y|src/build/z|src/a.log|src/b.c|docs/a/b/c.md|
docs/x.md|node_modules/p/i.js|src/node_modules/q.js|foo/bar/baz|tmp|src/tmp/x|#hash|!bang|with space |
a/b/foo|x.tmp|deep/er/x.tmp|{a}`.split(/\|\n?/)

test.each([
  [{ '': '*.log\n!debug.log\nnode_modules\n' }],
  [{ '': '/build\ntmp/\n' }],
  [{ '': 'docs/**/*.md\n**/foo\n' }],
  [{ '': 'docs/*\n!docs/x.md\nfoo/bar\n' }],
  [{ '': '# comment\n\\#hash\n\\!bang\n  \n{a}\n' }],
  [{ '': '*.tmp\n', 'deep/': '!x.tmp\n', 'src/': 'build\n*.c\n' }],
  [{ '': '[a-b]*\n?.txt\n' }],
  [{ '': 'build/**\n!build/keep/\n' }],
] as readonly (readonly [Readonly<Record<string, string>>])[])(
  'leaves out what git does: %j',
  async (rules) => {
    await using place = await createPlace(Object.fromEntries(paths.map((path) => [path, ''])))
    for (const [folder, text] of Object.entries(rules))
      await place.write({ [`${folder}.gitignore`]: text })
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
        cwd: place.root,
        encoding: 'utf8',
      })
    git('init', '-q')
    const kept = git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean)
    await using client = await open(place, { gitignore: true })

    const found = textOf(await client.callTool('directory_tree', { path: '.' }))

    expect(filesOf(JSON.parse(found) as Tree).toSorted()).toEqual(kept.toSorted()) // as the tool writes it
  },
)

type Tree = readonly { readonly name: string; readonly children?: Tree }[]

function filesOf(tree: Tree): readonly string[] {
  return tree.flatMap(({ name, children }) =>
    children ? filesOf(children).map((inner) => `${name}/${inner}`) : [name],
  )
}
