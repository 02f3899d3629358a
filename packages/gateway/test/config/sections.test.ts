import { chmodSync } from 'node:fs'
import { join } from 'node:path'

import { changedSections, loadGatewayConfig, needingRestart } from '@parley/gateway'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { sectionNames, sections, type SectionName } from '../../src/config/gateway-file.ts'

/** For each section of the file, two values that differ. A section without an example does not compile. */
const examples: { readonly [Name in SectionName]: readonly [before: string, after: string] } = {
  servers: ['{ a: { command: x } }', '{ a: { command: y } }'],
  mcpServers: ['{ a: { command: x } }', '{ a: { command: y } }'],
  inputs: ['[]', '[ { id: key, type: promptString } ]'],
  listen: ['{ http: 3000 }', '{ http: 3001 }'],
  auth: ['{ keys: one.json }', '{ keys: two.json }'],
  tokens: ['{ folder: one }', '{ folder: two }'],
  naming: ['prefix', 'manual'],
  search: ['off', 'auto'],
  profiles: ['{ one: { naming: prefix } }', '{ one: { naming: manual } }'],
  import: ['[]', '[ other.json ]'],
  cluster: ['{ name: one }', '{ name: two }'],
  status: ['own', 'all'],
  page: ['8081', '8082'],
  telemetry: ['false', 'true'],
  pinning: ['{ file: one }', '{ file: two }'],
  policy: ['[ "true" ]', '[ "false" ]'],
  limits: ['{}', '{ rate: { caller: { perSecond: 1 } } }'],
  patterns: ['{}', '{ injection: off }'],
  interceptors: ['[]', '[ { module: x.mjs } ]'],
  audit: ['{ file: one }', '{ file: two }'],
}

const configOf = async (text: string) => {
  const folder = folderWith({ 'gateway.yaml': text })
  return (await loadGatewayConfig(join(folder, 'gateway.yaml'))).config
}

describe('a change of each section is noticed, and takes effect at once or is named', () => {
  test.each(sectionNames)('%s', async (name) => {
    const [was, is] = examples[name]
    const before = await configOf(`${name}: ${was}\n`)
    const after = await configOf(`${name}: ${is}\n`)

    expect(changedSections(before, after)).toEqual([name])
    expect(changedSections(before, await configOf(`${name}: ${was}\n`))).toEqual([])
    expect(changedSections(before, await configOf('{}\n'))).toEqual([name])
    expect(needingRestart(before, after)).toEqual(sections.get(name) === 'start' ? [name] : [])
  })
})

test('a profile that is new needs a restart, since it has a path of its own', async () => {
  const before = await configOf('profiles: { one: {} }\n')
  const after = await configOf('profiles: { one: {}, two: {} }\n')

  expect(needingRestart(before, after)).toEqual(['profiles.two'])
})

test('callers have changed where a variable in their section has', async () => {
  const folder = folderWith({ 'gateway.yaml': 'auth: { keys: "${KEYS}" }\n' })
  const load = (KEYS: string) =>
    loadGatewayConfig(join(folder, 'gateway.yaml'), { env: { KEYS } }).then(({ config }) => config)

  expect(changedSections(await load('a.json'), await load('b.json'))).toEqual(['auth'])
})

test.each([
  [
    'gateway.yaml',
    0o666,
    /^error .*gateway\.yaml can be changed by every user .* \| Run chmod go-w/,
  ],
  ['gateway.yaml', 0o660, /^warning .*gateway\.yaml can be changed by its group/],
  ['more.json', 0o646, /^error .*more\.json can be changed by every user/],
  ['.', 0o777, /^error .*gateway\.yaml can be replaced by every user/],
])(
  'a configuration that others can change is refused or warned about: %s %o',
  async (name, mode, expected) => {
    const folder = folderWith({
      'gateway.yaml': 'servers: { a: { command: x } }\nimport: [ more.json ]\n',
      'more.json': '{ "mcpServers": {} }',
    })
    const load = () => loadGatewayConfig(join(folder, 'gateway.yaml'))
    expect((await load()).problems).toEqual([])

    chmodSync(join(folder, name), mode)
    const { problems } = await load()

    const [first] = problems.map(
      ({ level, file, message, fix }) => `${level} ${file} ${message} | ${fix}`,
    )
    expect(first).toMatch(expected)
  },
)
