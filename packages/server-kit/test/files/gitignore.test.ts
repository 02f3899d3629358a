import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { entriesNotIgnored, walk } from '@parley/server-kit/files'
import { createPathJail } from '@parley/server-kit/paths'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { tries } from '../../../../test-support/thorough.ts'

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
  [{ '': '@(tmp|x.tmp)\n./b.txt\nb.txt\t\n[[:alpha:]].log\n' }],
] as readonly (readonly [Readonly<Record<string, string>>])[])(
  'leaves out what git does: %j',
  async (rules) => {
    const files = Object.fromEntries(paths.map((path) => [path, '']))
    const ignoring = Object.entries(rules).map(([folder, text]) => [`${folder}.gitignore`, text])
    const root = folderWith({ ...files, ...Object.fromEntries(ignoring) })
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: root, encoding: 'utf8' })
    git('init', '-q')
    const kept = git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean)
    const jail = await createPathJail({ directories: [root] })

    const found: string[] = []
    for await (const { relative, kind } of walk(jail, '.', { gitignore: true })) {
      if (kind === 'file') found.push(relative)
    }

    expect(found.toSorted()).toEqual(kept.toSorted())
  },
)

const pieces = 'a|b|c|1|.|@(a-b)|+(a)|{a,b}|*|?|/|[ab]|[!a]|[[:digit:]]|**/'
  .split('|')
  .map((one) => one.replace('-', '|'))
// Git takes `a**` for `a*`, and as far as it has no other star before it for `a/**` too.
const rule = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(''))
  .filter((text) => !/[^/]\*\*/.test(text))

test('leaves out what git does, whatever the rules are', async () => {
  const names = [
    'a',
    'b',
    'ab',
    '1',
    'a1',
    '.a',
    '@(a|b)',
    '+(a)',
    '{a,b}',
    'c/a',
    'c/c/b',
    'b1/1',
    './d/a',
    'd/ab/a',
  ]
  const root = folderWith(Object.fromEntries(names.map((name) => [name, ''])))
  execFileSync('git', ['init', '-q'], { cwd: root })
  const jail = await createPathJail({ directories: [root] })

  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), async (rules) => {
      writeFileSync(join(root, '.gitignore'), `${rules.join('\n')}\n`)
      const args = ['ls-files', '-z', '--others', '--exclude-standard']
      const kept = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0')
      const found: string[] = []
      for await (const { relative, kind } of walk(jail, '.', { gitignore: true })) {
        if (kind === 'file') found.push(relative)
      }

      expect(found.toSorted()).toEqual(kept.filter(Boolean).toSorted())
    }),
    { numRuns: tries(60) },
  )
})

test('rules of the folders above count where a list begins further down', async () => {
  const root = folderWith({ '.gitignore': '/src/*.log\n', 'src/a.log': '', 'src/b.ts': '' })
  const jail = await createPathJail({ directories: [root] })
  await using directory = await jail.openDirectory('src')

  const entries = await entriesNotIgnored(directory, jail)

  expect(entries.map(({ name }) => name)).toEqual(['b.ts'])
})
