import { addressWarnings } from '@parley/foundation/address'
import { mask, maskSecrets } from '@parley/foundation/secrets'
import { safeJson, safeText } from '@parley/foundation/terminal'
import { isRpcError } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { parseJson, isJsonObject } from '@parley/mcp/json'

import type { CommandContext } from '../command.ts'
import { connectOptions } from '../connection.ts'
import { CliError, describeFailure } from '../exit.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { readText } from '../probe/read-text.ts'
import { openTrace } from '../trace-file.ts'
import { signInOptions, urlOf, type LoginFlags } from './login.ts'
import { showSignInPage } from './sign-in-page.ts'
import { createSignIn } from './sign-in.ts'

/** The person's page was reached; nobody is sent there without `--login`. */
class PageReached extends Error {
  override readonly name = 'PageReached'
}

/** Shows every exchange of a sign-in, secrets masked. */
export async function debugSignIn(
  word: string | undefined,
  flags: LoginFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { url, target } = await urlOf(word, flags, context)
  const fetch = showingFetch(printer)
  let page: URL | undefined
  const auth = await createSignIn(url, io, {
    ...signInOptions(flags, target),
    fetch,
    open: (where) => {
      if (flags.login === true) return showSignInPage(where, io, flags.open !== false)
      page = where
      throw new PageReached('no browser is opened')
    },
  })
  try {
    await using trace = await openTrace(flags.trace, target, io)
    await using client = await connect(target.entry, {
      ...connectOptions({ ...target, connectMs: undefined }, flags, printer, io),
      auth,
      fetch,
      ...trace?.hooks,
    })
    await client.ping()
  } catch (error) {
    if (page === undefined)
      throw new CliError('auth_required', describeFailure(error).message, { cause: error })
    showPage(page, printer)
    return printer.note('Stopped before opening the browser. Use --login to continue.')
  }
  printer.note('The server accepted the sign-in.')
}

function showPage({ origin, pathname, searchParams }: URL, printer: Printer): void {
  const parameters = maskSecrets(Object.fromEntries(searchParams))
  const url = origin + pathname
  if (printer.isJson) return printer.jsonLine({ step: 'page', url, parameters })
  printer.line(`→ the browser is sent to ${url}\n${indented(parameters)}`)
  for (const warning of addressWarnings(url)) {
    printer.line(`  ${printer.colors.yellow('warning:')} ${flat(warning)}`)
  }
}

/** The global `fetch`, with everything shown that goes through it. */
function showingFetch(printer: Printer): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const sent = await bodyOf(request.clone())
    const response = await fetch(request)
    const isText = /json|form|text\/(?!event-stream)/.test(
      response.headers.get('content-type') ?? '',
    )
    const step = {
      step: 'exchange',
      method: request.method,
      url: request.url,
      sent,
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? undefined,
      received: isText ? await bodyOf(response.clone()) : undefined,
    }
    show(maskSecrets({ ...step, sent: withoutCode(sent) }), printer)
    return response
  }
}

/** What came back with the browser is good for a token, once. */
function withoutCode(sent: unknown): unknown {
  return isJsonObject(sent) && typeof sent['code'] === 'string' ? { ...sent, code: mask } : sent
}

interface Step {
  readonly method: string
  readonly url: string
  readonly sent: unknown
  readonly status: number
  readonly challenge: string | undefined
  readonly received: unknown
}

function show(step: Step, printer: Printer): void {
  if (printer.isJson) return printer.jsonLine(step)
  const { colors } = printer
  printer.line(`${colors.bold(`→ ${step.method}`)} ${safeText(step.url)}`)
  if (step.sent !== undefined) printer.line(indented(step.sent))
  const color = step.status < 400 ? colors.green : colors.yellow
  printer.line(color(`← ${step.status}`))
  if (step.challenge !== undefined) printer.line(`  www-authenticate: ${safeText(step.challenge)}`)
  if (step.received !== undefined) printer.line(indented(step.received))
}

/** JSON in full, so that it can be read by programs too; of other texts, the beginning. */
function indented(value: unknown): string {
  const text = typeof value === 'string' ? excerptOf(value) : safeJson(value, 2)
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

const maxLines = 60

function excerptOf(value: string): string {
  const lines = safeText(value, { lineLength: 400 }).split('\n')
  const rest = lines.length - maxLines
  return [...lines.slice(0, maxLines), ...(rest > 0 ? [`… ${rest} more lines`] : [])].join('\n')
}

/** More than this is not shown. */
const maxLetters = 1024 * 1024

/** A form or JSON as what it says; anything else as its text. What cannot be read whole may hide secrets, and is left out. */
async function bodyOf(message: Request | Response): Promise<unknown> {
  const text = await readText(message, maxLetters + 1).catch(() => '')
  if (text === '') return undefined
  if (text.length > maxLetters) return '(more than 1 MiB: not shown)'
  const type = message.headers.get('content-type') ?? ''
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    return parseJson(text)
  } catch (error) {
    return isRpcError(error) ? `(${error.message}: not shown)` : text
  }
}
