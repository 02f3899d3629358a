import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

/** Lines that would fetch the bare name, which is somebody else's on npm. */
const foreign =
  /\b(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|dlx|create|init)|npm (?:i|install|add)|(?:pnpm|yarn) add)(?: -{1,2}[\w-]+)* parley(?![\w/@-])/

const bare = 'parley'

test('no page and no source has anybody install or run the bare name', () => {
  // Other tests make files in the repository and remove them at any time: only known ones are read.
  const files = execFileSync('git', ['ls-files', '--cached'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (file) =>
        /\.(?:md|mjs|json|tsx?|ya?ml)$/.test(file) &&
        !file.endsWith('package-lock.json') &&
        existsSync(join(root, file)),
    )

  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (foreign.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  )

  expect(found).toEqual([])
})

test.each([
  [`npx ${bare} list`, true],
  [`npx -y ${bare} list`, true],
  [`npm install -g ${bare}`, true],
  ['npm install --global @parley/cli', false],
  ['npx @parley/cli list', false],
  ['parley list -- npx other', false],
])('%s is found: %s', (line, isFound) => {
  expect(foreign.test(line)).toBe(isFound)
})
