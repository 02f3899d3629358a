import { ToolError } from '@parley/mcp'
import { toolOutput } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

describe('toolOutput', () => {
  test('is the structured value where there is one, else the text', () => {
    const content = [
      { type: 'text' as const, text: 'one' },
      { type: 'image' as const, data: '', mimeType: 'image/png' },
      { type: 'text' as const, text: 'two' },
    ]

    expect(toolOutput({ content, structuredContent: { celsius: 21 } })).toEqual({ celsius: 21 })
    expect(toolOutput({ content })).toBe('one\ntwo')
    expect(toolOutput({ content: [] })).toBe('')
  })

  test.each([null, 0, '', false])('is %j where that is the value [N07-TOOL-03]', (value) => {
    const content = [{ type: 'text' as const, text: JSON.stringify(value) }]

    expect(toolOutput({ content, structuredContent: value })).toBe(value)
  })

  test('throws for an error result, with all it said', () => {
    const content = [{ type: 'text' as const, text: 'no such city' }]
    const failed = { content, structuredContent: { known: ['Oslo'] }, isError: true }

    expect(() => toolOutput(failed)).toThrow(ToolError)
    expect(() => toolOutput(failed)).toThrow(
      expect.objectContaining({
        message: 'no such city',
        content,
        structuredContent: { known: ['Oslo'] },
      }),
    )
  })
})
