import { editConfig } from '@parley/foundation/config'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { readConfig } from '../../src/config/read-config.ts'

const where = { cwd: '/project' }

function read(text: string, file: string) {
  return readConfig(text, { file, format: 'parley', scope: 'given' }, where)
}

/** Entries as people write them, and worse. */
const entry = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      command: fc.oneof(fc.string(), fc.jsonValue()),
      args: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      env: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
      url: fc.oneof(fc.webUrl(), fc.jsonValue()),
      headers: fc.jsonValue(),
      type: fc.oneof(fc.constantFrom('stdio', 'http', 'sse'), fc.jsonValue()),
      timeout: fc.jsonValue(),
      roots: fc.jsonValue(),
      oauth: fc.jsonValue(),
      era: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
)
const config = fc.record({
  mcpServers: fc.dictionary(fc.string(), entry),
  inputs: fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
})

test.each(['mcp.json', 'mcp.yaml', 'config.toml'])('%s may hold any text', (file) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { problems } = read(text, file)
      expect(problems.every(({ message }) => message !== '')).toBe(true)
    }),
  )
})

test('every entry is read or reported, whatever stands in it', () => {
  fc.assert(
    fc.property(config, (value) => {
      const { entries, problems } = read(JSON.stringify(value), 'mcp.json')
      const known = new Set([
        ...entries.map(({ name }) => name),
        ...problems.map(({ server }) => server),
      ])
      for (const name of Object.keys(value.mcpServers)) expect(known).toContain(name)
    }),
  )
})

test('a good entry is there, whatever stands beside it', () => {
  fc.assert(
    fc.property(config, fc.nat({ max: 4_000 }), fc.string(), (value, at, rubbish) => {
      const good = '"good entry": { "command": "node" },'
      const text = JSON.stringify(value).replace('{"mcpServers":{', `{"mcpServers":{${good}`)
      const from = Math.max(at, text.indexOf(good) + good.length + 1)
      const broken = text.slice(0, from) + rubbish.replaceAll(/["{}[\]]/g, '') + text.slice(from)
      const names = read(broken, 'mcp.json').entries.map(({ name }) => name)
      expect(names).toContain('good entry')
    }),
  )
})

test('an edit changes what it is told to, and nothing else', () => {
  const servers = fc.dictionary(fc.string(), fc.record({ command: fc.string() }))
  const space = fc.constantFrom(undefined, 2, 4, '\t')
  fc.assert(
    fc.property(servers, fc.string(), space, (before, name, indent) => {
      const text = JSON.stringify(
        { theme: 'dark', mcpServers: before, last: [1] },
        undefined,
        indent,
      )
      const added = { command: 'new', args: ['a'] }

      const { after } = editConfig({ file: 'mcp.json', text, servers: { [name]: added } })
      const removed = editConfig({ file: 'mcp.json', text: after, servers: { [name]: undefined } })

      const { [name]: _, ...others } = before
      expect(JSON.parse(after)).toEqual({
        theme: 'dark',
        mcpServers: { ...before, [name]: added },
        last: [1],
      })
      expect(JSON.parse(removed.after)).toEqual({ theme: 'dark', mcpServers: others, last: [1] })
      for (const line of after.split('\n')) expect(line).not.toMatch(/\s$/)
    }),
  )
})
