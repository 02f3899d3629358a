import process from 'node:process'

import type { ToolAnnotations } from '@parley/mcp'
import {
  defineTool,
  toolResult,
  type Context,
  type Feature,
  type ToolResult,
} from '@parley/mcp/server'
import type { InTurn } from '@parley/server-kit/files'
import { PathDenied, systemCode, type PathJail, type RootsJail } from '@parley/server-kit/paths'
import { explainErrors } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { Settings } from './settings.ts'
import type { RunEditTask } from './task/edit-tasks.ts'

/** What tools and resources get at files through. */
export interface FileAccess {
  readonly roots: RootsJail
  readonly settings: Settings
  readonly inTurn: InTurn
  readonly runTask: RunEditTask
}

/** What a tool is given besides its arguments. */
export interface FileCall extends Omit<FileAccess, 'roots'> {
  /** The files this caller may use. */
  readonly jail: PathJail
  readonly context: Context
}

interface FileToolConfig<Input> {
  readonly title: string
  readonly description: string
  readonly inputSchema: Input
  readonly annotations: ToolAnnotations
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
  return ({ roots, ...access }) =>
    defineTool(name, { ...rest, ...schemas, task: 'never' }, async (args, context) => {
      const jail = await roots.jailFor(context)
      // Checked by the schema.
      const work = () => run(args as z.output<Input>, { ...access, jail, context })
      return explained(() => work().catch(withPermissionHint))
    })
}

/** macOS asks a person before a program may use Documents, Desktop, Downloads and iCloud Drive; its refusal does not say so. */
export function withPermissionHint(
  error: unknown,
  platform: NodeJS.Platform = process.platform,
): never {
  if (platform !== 'darwin' || systemCode(error) !== 'EPERM' || !(error instanceof Error))
    throw error
  const message = `${error.message}. macOS does not let this program use that folder: allow it in System Settings under Privacy & Security, Files and Folders`
  throw Object.assign(new Error(message, { cause: error }), { code: 'EPERM' })
}

/** What is wrong with a path or a file is the model's business. */
export const explained = explainErrors(
  (error) => error instanceof PathDenied || systemCode(error) !== undefined,
)

/** A path, as every tool takes it. */
export const pathInput = z
  .string()
  .describe('Absolute, relative to an allowed directory, or beginning with ~')

/** Paths to leave out, as searches take them. */
export const excludeInput = z
  .array(z.string())
  .optional()
  .default([])
  .describe('Leave these out, with all in them')
