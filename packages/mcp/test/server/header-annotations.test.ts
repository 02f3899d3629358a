import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

const info = { name: 'annotated', version: '1.0.0' }

function register(property: object): () => unknown {
  return () => {
    const inputSchema = { type: 'object', properties: { region: property } }
    return createServer(info).tool('deploy', { inputSchema }, () => 'done')
  }
}

test('a tool may have headers repeat its arguments [N07-XHDR-01]', () => {
  expect(register({ type: 'string', 'x-mcp-header': 'Region' })).not.toThrow()
})

test.each([
  ['a name that is no token', { type: 'string', 'x-mcp-header': 'My Region' }],
  ['a number', { type: 'number', 'x-mcp-header': 'Region' }],
  ['a union [N07-T-11]', { type: ['string', 'null'], 'x-mcp-header': 'Region' }],
  ['items', { type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } }],
])('a tool with an annotation for %s is refused at once [N07-XHDR-02]', (_, property) => {
  expect(register(property)).toThrow(
    expect.objectContaining({
      code: 'invalid_definition',
      message: expect.stringMatching(/^tool "deploy", inputSchema: x-mcp-header/),
    }) as Error,
  )
})
