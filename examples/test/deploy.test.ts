import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('the Dockerfiles have none of the mistakes that lose signals, secrets or caches', () => {
  const own = blockOf('docs/deploy.md', 'dockerfile')

  expect(mistakesIn(own)).toEqual([])
  expect(mistakesIn(read('examples/cluster/Dockerfile'))).toEqual([])
})

test('a Dockerfile that has them is noticed', () => {
  const bad = 'FROM node\nCOPY . .\nRUN npm install\nEXPOSE 80\nENV PORT=3000\nCMD npm start\n'

  expect(mistakesIn(bad)).toEqual([
    'FROM node: name a version',
    'RUN npm install: npm ci installs what the lock file says',
    'EXPOSE 80: PORT is 3000',
    'CMD npm start: a list is run without a shell, which would keep SIGTERM',
    'USER is missing: the program would run as root',
  ])
})

test('the lines for nginx on the page are those of the file that is run', () => {
  const lines = (text: string) =>
    text.split('\n').flatMap((line) => /^\s*(proxy_(?!pass)[^;]*;)/.exec(line)?.[1] ?? [])
  const shown = lines(blockOf('docs/deploy.md', 'nginx'))
  const run = new Set(lines(read('examples/cluster/nginx.conf')))

  expect(shown.length).toBeGreaterThan(4)
  expect(shown.filter((line) => !run.has(line))).toEqual([])
})

test('the workflow on the page is one, and its last line checks a server', () => {
  const workflow = parse(blockOf('docs/deploy.md', 'yaml')) as {
    readonly jobs: { readonly test: { readonly steps: readonly { readonly run?: string }[] } }
  } // what the page shows; anything else fails below

  const commands = workflow.jobs.test.steps.flatMap(({ run }) => run ?? [])
  expect(commands).toEqual(['npm ci', 'npm test', 'npx @parley/cli check -- node server.js'])
})

function blockOf(page: string, language: string): string {
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(read(page)) ?? []
  if (block === undefined) throw new Error(`${page} has no block of ${language}`)
  return block
}

/** What reviewers of images look for first, one rule a line. */
function mistakesIn(dockerfile: string): readonly string[] {
  const lines = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line))
  const port = /\bPORT=(\d+)/.exec(dockerfile)?.[1]
  const found = lines.flatMap((line) => {
    if (/^FROM [^:@]+$/.test(line) || /:latest\b/.test(line)) return [`${line}: name a version`]
    if (/^RUN .*npm (?:install|i)\b/.test(line))
      return [`${line}: npm ci installs what the lock file says`]
    if (line.startsWith('EXPOSE') && port !== undefined && !line.endsWith(` ${port}`))
      return [`${line}: PORT is ${port}`]
    if (/^(?:CMD|ENTRYPOINT) (?!\[)/.test(line))
      return [`${line}: a list is run without a shell, which would keep SIGTERM`]
    if (/^(?:ENV|ARG) .*(?:SECRET|TOKEN|PASSWORD|API_KEY)=\S/.test(line))
      return [`${line}: an image keeps what is written in it`]
    return []
  })
  const user = lines.findLast((line) => line.startsWith('USER '))
  const isRoot = user === undefined || /^USER (?:root|0)\b/.test(user)
  return isRoot ? [...found, 'USER is missing: the program would run as root'] : found
}
