import { ToolError } from '@parley/mcp'
import {
  defineTool,
  toolResult,
  type Context,
  type Feature,
  type ToolResult,
} from '@parley/mcp/server'
import { PathDenied, systemCode, type PathJail } from '@parley/server-kit/paths'
import { z } from 'zod'

import type { FileAccess } from './access.ts'
import { PatternError } from './glob/expand-braces.ts'
import type { InTurn } from './in-turn.ts'
import type { Settings } from './settings.ts'

/** What a tool is given besides its arguments. */
export interface FileCall {
  readonly jail: PathJail
  readonly settings: Settings
  readonly inTurn: InTurn
  readonly context: Context
}

interface FileToolConfig<Input> {
  readonly title: string
  readonly description: string
  readonly inputSchema: Input
  readonly annotations: ReturnType<typeof reads>
}

/** Made once the access is known. */
export type FileTool = (access: FileAccess) => Feature

/** A tool that answers with a text, which is its structured content too. */
export function fileTool<Input extends z.ZodObject>(
  name: string,
  config: FileToolConfig<Input>,
  run: (args: z.output<Input>, call: FileCall) => Promise<string>,
): FileTool {
  return structuredFileTool(name, config, textOutput, async (args, call) => {
    const content = await run(args, call)
    return toolResult({ structuredContent: { content }, content: [content] })
  })
}

const textOutput = z.object({ content: z.string() })

/** A tool with an output of its own kind. */
export function structuredFileTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  name: string,
  config: FileToolConfig<Input>,
  outputSchema: Output,
  run: (
    args: z.output<Input>,
    call: FileCall,
  ) => Promise<z.input<Output> | ToolResult<z.input<Output>>>,
): FileTool {
  // The types were compared by the signature above; inside they would only be compared again.
  const { inputSchema, ...rest } = config
  const schemas: { inputSchema: z.ZodType; outputSchema: z.ZodType } = { inputSchema, outputSchema }
  return ({ jailFor, settings, inTurn }) =>
    defineTool(name, { ...rest, ...schemas }, async (args, context) => {
      const jail = await jailFor(context)
      try {
        return await run(args as z.output<Input>, { jail, settings, inTurn, context }) // checked by the schema
      } catch (error) {
        throw forModel(error)
      }
    })
}

/** What is wrong with a path, a file or a pattern is the model's business. */
export function forModel(error: unknown): unknown {
  const isTellable =
    error instanceof PathDenied || error instanceof PatternError || systemCode(error) !== undefined
  return isTellable && error instanceof Error
    ? new ToolError(error.message, { cause: error })
    : error
}

/** The hints of a tool that changes nothing. */
export function reads(): { readonly readOnlyHint: boolean; readonly openWorldHint: boolean } {
  return { readOnlyHint: true, openWorldHint: false }
}

/** The hints of a tool that writes. */
export function writes(hints: { readonly destructive: boolean; readonly idempotent: boolean }) {
  return {
    readOnlyHint: false,
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: false,
  }
}

/** A path, as every tool takes it. */
export const pathInput = z
  .string()
  .describe('Absolute, relative to an allowed directory, or beginning with ~')
