import { RpcError, ToolError } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

const kinds = [
  'tool_error',
  'exception',
  'invalid_request',
  'method_not_found',
  'invalid_params',
  'internal_error',
  'resource_not_found',
  'overloaded',
  'other',
] as const

/** Fails on purpose, in each way a call can fail. */
export const triggerError = defineTool(
  'trigger-error',
  {
    title: 'Trigger Error Tool',
    description:
      'Fails as asked: with a result the model can read, with a protocol error, or by accident.',
    inputSchema: z.object({
      kind: z.enum(kinds).default('tool_error').describe('How to fail'),
      message: z.string().default('This was asked for.').describe('What to say'),
      code: z.int().default(1_000).describe('The number, where the kind is "other"'),
    }),
    annotations: toolHints('reads'),
  },
  ({ kind, message, code }) => {
    switch (kind) {
      case 'tool_error':
        throw new ToolError(message)
      case 'exception':
        throw new Error(message) // callers see a number to ask about, the operator sees this
      case 'resource_not_found':
        throw new RpcError(kind, message, { data: { uri: 'demo://resource/nowhere' } })
      case 'other':
        throw new RpcError(kind, message, { wireCode: code, data: { asked: true } })
      case 'invalid_request':
      case 'method_not_found':
      case 'invalid_params':
      case 'internal_error':
      case 'overloaded':
        throw new RpcError(kind, message)
    }
  },
)
