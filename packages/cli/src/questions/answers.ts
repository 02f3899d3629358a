import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { CreateMessageResult } from '@parley/mcp'
import type { ConnectOptions, ElicitHandler, SampleHandler } from '@parley/mcp/client'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { createPrompter } from './asker.ts'
import { fillForm } from './form.ts'
import { offerLink } from './link.ts'

/** How questions of the server are answered. */
export interface QuestionFlags {
  readonly answer?: string | undefined
  readonly decline?: boolean | undefined
  readonly interactive?: boolean | undefined
  readonly sampling?: string | undefined
  readonly json?: boolean | undefined
}

/** The handlers for a connection, and what remained unanswered. */
export interface Questions {
  /** A client that can be asked everything, so that servers show all they have. */
  readonly options: Pick<ConnectOptions, 'elicit' | 'sample' | 'extensions'>
  /** Questions for which there was nobody, in the words of the server. */
  readonly unanswered: readonly string[]
  /** Whether something was refused because the user said so. */
  readonly rejected: () => string | undefined
}

/** Never asks where nobody sits: then a question is cancelled, and remembered. */
export async function createInputRequests(flags: QuestionFlags, io: Io): Promise<Questions> {
  const unanswered: string[] = []
  let rejection: string | undefined
  const script = flags.answer === undefined ? undefined : await readAnswers(flags.answer, io)
  const isAttended = io.stdin.isTTY === true
  if (flags.interactive && !isAttended) {
    throw new CliError('input_required', '--interactive needs a terminal', {
      hint: 'Use --answer FILE without a terminal.',
    })
  }
  const mayAsk = isAttended && (flags.interactive === true || flags.json !== true)

  const elicit: ElicitHandler = async (request, { server }) => {
    if (flags.decline) return { action: 'decline' }
    if (script !== undefined) return script.next(request.message, unanswered)
    if (!mayAsk) {
      unanswered.push(request.message)
      return { action: 'cancel' }
    }
    const prompter = createPrompter(io)
    const name = server?.title ?? server?.name ?? 'The server'
    try {
      return request.mode === 'url'
        ? await offerLink(request, name, prompter)
        : await fillForm(
            request.requestedSchema,
            { server: name, message: request.message },
            prompter,
          )
    } finally {
      prompter.close()
    }
  }
  const { clientTasks } = await import('./client-tasks.ts')
  const sample =
    flags.sampling === undefined
      ? () => {
          unanswered.push('a model response; see --sampling')
          throw new Error('there is no model')
        }
      : await createSampler(flags.sampling, io, () => {
          rejection = 'a model response, which --sampling deny refuses'
        })
  return {
    options: { elicit, sample, extensions: [clientTasks()] },
    unanswered,
    rejected: () => rejection,
  }
}

type Answer =
  | { readonly action: 'accept'; readonly content: object }
  | { readonly action: 'decline' | 'cancel' }

/** Answers from a file: one for every question, or a list of them in order. */
async function readAnswers(file: string, io: Io) {
  const value = await readJson(file, io)
  const list = Array.isArray(value) ? value.map(toInputResponse) : undefined
  const reply = toInputResponse(value)
  return {
    next(message: string, unanswered: string[]): Answer {
      const answer = list === undefined ? reply : list.shift()
      if (answer !== undefined) return answer
      unanswered.push(message)
      return { action: 'cancel' }
    },
  }
}

/** `{ action, content }`, or the content alone. */
function toInputResponse(value: unknown): Answer {
  if (typeof value !== 'object' || value === null) {
    throw new CliError(
      'error',
      'an answer must be an object: the fields of a form, or { "action": "decline" }',
    )
  }
  const { action, content, ...others } = value as { readonly [name: string]: unknown } // an object
  const isWhole = Object.keys(others).length === 0
  if (isWhole && (action === 'decline' || action === 'cancel')) return { action }
  if (isWhole && action === 'accept')
    return { action, content: { ...(content as object | undefined) } } // spreads anything
  return { action: 'accept', content: value }
}

/** `deny`, or `mock:FILE` with the text, or the whole result, of every answer. */
async function createSampler(how: string, io: Io, onDenied: () => void): Promise<SampleHandler> {
  if (how === 'deny') {
    return () => {
      onDenied()
      throw new Error('the user denies sampling')
    }
  }
  const [, file] = /^mock:(.+)$/.exec(how) ?? []
  if (file === undefined) {
    throw new CliError('error', `--sampling ${how} is unknown`, {
      hint: 'Use deny or mock:FILE.',
    })
  }
  const text = await readText(file, io)
  const parsed = parseJson(text)
  const isResult = typeof parsed === 'object' && parsed !== null && 'content' in parsed
  const plain: CreateMessageResult = {
    role: 'assistant',
    content: { type: 'text', text: text.trimEnd() },
    model: 'mock',
    stopReason: 'endTurn',
  }
  return () => (isResult ? ({ ...plain, ...parsed } as CreateMessageResult) : plain) // the client checks it
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a plain text
  }
}

async function readJson(file: string, io: Io): Promise<unknown> {
  const value = parseJson(await readText(file, io))
  if (value !== undefined) return value
  throw new CliError('error', `${file} does not contain valid JSON`)
}

async function readText(file: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new CliError('error', `${file} cannot be read`, { cause: error })
  }
}
