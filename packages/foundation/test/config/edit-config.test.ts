import { editConfig } from '@parley/foundation/config'
import { expect, test } from 'vitest'

test('changes one server and leaves comments, order and spaces alone', () => {
  const text = `{
    // our servers
    "mcpServers": {
        "git":   { "command": "git-server" }, // keep
    },
    "theme": "dark"
}
`
  const { after, diff } = editConfig({
    file: '/x/mcp.json',
    text,
    servers: { time: { command: 'time-server' } },
  })

  expect(after).toBe(`{
    // our servers
    "mcpServers": {
        "git":   { "command": "git-server" },
        "time": {
            "command": "time-server"
        }, // keep
    },
    "theme": "dark"
}
`)
  expect(diff).toContain('+        "time": {')
  expect(diff).not.toContain('theme": "light')
})

test('removes a server', () => {
  const text = '{\n  "servers": {\n    "a": {},\n    "b": {}\n  }\n}\n'

  const { after, diff } = editConfig({
    file: '/x/.vscode/mcp.json',
    text,
    servers: { b: undefined },
  })

  expect(JSON.parse(after)).toEqual({ servers: { a: {} } })
  expect(diff).toMatch(/^-.*"b"/m)
})

test('makes a new file, with questions where the format has them', () => {
  const inputs = [{ id: 'key', type: 'promptString' }]

  const { after } = editConfig({
    file: '/x/mcp.json',
    text: '',
    servers: { a: { command: 'x' } },
    inputs,
  })
  const again = editConfig({ file: '/x/mcp.json', text: after, servers: {}, inputs })

  expect(JSON.parse(after)).toEqual({ mcpServers: { a: { command: 'x' } }, inputs })
  expect(again.diff).toBe('')
})

test('edits YAML and keeps its comments', () => {
  const text = '# ours\nmcpServers:\n  a:\n    command: x # why\n'

  const { after } = editConfig({ file: 'mcp.yaml', text, servers: { b: { command: 'y' } } })

  expect(after).toBe('# ours\nmcpServers:\n  a:\n    command: x # why\n  b:\n    command: y\n')
})

test('writes TOML for the product that reads it, and for no other', () => {
  const servers = { a: { command: 'node' } }

  expect(() => editConfig({ file: 'x.toml', text: '', format: 'parley', servers })).toThrow(
    'x.toml is TOML, which only Codex uses',
  )
  expect(() => editConfig({ file: 'mcp.json', text: '', format: 'codex', servers })).toThrow(
    'name a file that ends in .toml',
  )
})

test('does not touch a file that is broken', () => {
  expect(() => editConfig({ file: 'mcp.json', text: '{ "mcpServers": {', servers: {} })).toThrow(
    'is invalid',
  )
})
