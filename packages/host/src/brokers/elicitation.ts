import { linkWarnings } from '@parley/foundation/address'
import { isSecretName } from '@parley/foundation/secrets'
import { withoutHidden } from '@parley/foundation/text-safety'
import type { ElicitResult, ElicitURLResult, JsonSchema } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import type { ElicitHandler } from '@parley/mcp/client'

import { failureReason } from '../connections/failure-reason.ts'
import { ServerRequestGate, type RecordExchange } from './server-request-gate.ts'

/** How questions of servers to a person are handled. */
export interface ElicitationSettings {
  /** Shows a question to a person. Aborted when the server withdraws it: close the form then. */
  readonly ask: (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>
  /** For each server: a person is asked, or every question is declined unseen. @defaultValue 'ask' */
  readonly policy?: ((server: string) => 'ask' | 'never') | undefined
  /** Questions of one server within a minute; more are declined. @defaultValue 10 */
  readonly perMinute?: number | undefined
}

/** A question of a server, as it is to be shown. */
export type ServerQuestion = {
  /** The name of the server that asks. */
  readonly server: string
  /** The question, as the server wrote it. */
  readonly message: string
  /** Reasons to be careful, in words. */
  readonly warnings: readonly string[]
} & (
  | {
      /** The person fills in a form. */
      readonly mode: 'form'
      /** The fields of the form. */
      readonly schema: JsonSchema
    }
  /** Never opened by the host. Show the host name in full, and open the address only if the person says so. */
  | {
      readonly mode: 'url'
      /** The whole address. */
      readonly url: string
      /** The host of the address, to be shown so that it can be recognized. */
      readonly host: string
    }
)

/** The user's answer: sent the form or agreed to the link, declined, or closed the question. */
export type QuestionAnswer =
  | {
      /** The person sent the form, or agreed to the link. */
      readonly action: 'accept'
      /** The values of the form. */
      readonly content?: object | undefined
    }
  /** With `session`, further questions of this server are declined unseen. @defaultValue 'once' */
  | {
      readonly action: 'decline'
      /** Whether further questions of this server are declined as well. @defaultValue `'once'` */
      readonly remember?: 'once' | 'session' | undefined
    }
  | {
      /** The person closed the question without an answer. */
      readonly action: 'cancel'
    }

/** Answers the questions of one server. */
export type AnswerElicitation = (
  server: string,
  ...rest: Parameters<ElicitHandler>
) => Promise<ElicitResult | ElicitURLResult>

export function createElicitation(
  { ask, policy = () => 'ask', perMinute = 10 }: ElicitationSettings,
  notify: (server: string, message: string) => void,
  record?: RecordExchange,
): AnswerElicitation {
  const gate = new ServerRequestGate('elicitation', policy, perMinute, record)

  return async (server, request, { signal }) => {
    if (gate.ruleFor(server) === 'never') return { action: 'decline' }
    try {
      gate.count(server, 'an answer')
    } catch (error) {
      notify(server, `${failureReason(error)}: the question was declined`)
      return { action: 'decline' }
    }
    const message = withoutHidden(request.message).text
    const question = request.mode === 'url' ? linkOf(request.url) : formOf(message, request)
    const answer = await ask({ server, message, ...question }, signal)
    const { action } = answer
    if (action === 'decline' && answer.remember === 'session') gate.decide(server, 'never')
    const what = question.mode === 'url' ? `open ${question.host}` : 'fill in a form'
    const decision = action === 'accept' ? 'allow' : 'deny'
    await gate.record(server, decision, `asked to ${what}: ${action}`)
    if (action !== 'accept' || question.mode === 'url') return { action }
    return { action, content: answer.content ?? {} }
  }
}

type Shown<Mode> = Omit<Extract<ServerQuestion, { mode: Mode }>, 'server' | 'message'>

function linkOf(url: string): Shown<'url'> {
  const host = parseUrl(url)?.host ?? url
  return { mode: 'url', url, host, warnings: linkWarnings(url) }
}

function formOf(
  message: string,
  { requestedSchema: schema }: { readonly requestedSchema: JsonSchema },
): Shown<'form'> {
  return { mode: 'form', schema, warnings: secretWarnings(message, schema) }
}

const secretWords =
  /\b(?:password|passphrase|passcode|secret|api[ _-]?key|token|credit card|cvv|pin)\b/i

/** Servers must not ask for such things in a form; one that does may not be what it says. */
function secretWarnings(message: string, schema: JsonSchema): readonly string[] {
  const properties = schema['properties']
  const fields =
    typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  const secret = fields.filter(
    ([name, field]) => isSecretName(name) || secretWords.test(JSON.stringify(field)),
  )
  if (secret.length === 0 && !secretWords.test(message)) return []
  const what = secret.map(([name]) => name).join(', ')
  return [
    `This seems to ask for a secret${what && ` (${what})`}. Servers must not do that in a form.`,
  ]
}
