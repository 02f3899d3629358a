import { addressWarnings } from '@parley/foundation/address'
import { isSecretName } from '@parley/foundation/secrets'
import type { ElicitResult, ElicitURLResult, JsonSchema } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import type { ElicitHandler } from '@parley/mcp/client'

import { withoutHidden } from '../text-safety/hidden-characters.ts'
import { createRateOfServers } from './rate-of-server.ts'

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
  readonly server: string
  readonly message: string
  /** What to be careful about, in words. */
  readonly warnings: readonly string[]
} & (
  | { readonly mode: 'form'; readonly schema: JsonSchema }
  /** Never opened by the host. Show the host name in full, and open the address only if the person says so. */
  | { readonly mode: 'url'; readonly url: string; readonly host: string }
)

/** What the person did: sent the form or agreed to the link, said no, or closed the question. */
export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: object | undefined }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** Answers the questions of one server. */
export type AnswerElicitation = (
  server: string,
  ...rest: Parameters<ElicitHandler>
) => Promise<ElicitResult | ElicitURLResult>

export function createElicitation(
  { ask, policy = () => 'ask', perMinute = 10 }: ElicitationSettings,
  tell: (server: string, message: string) => void,
): AnswerElicitation {
  const rate = createRateOfServers(perMinute)

  return async (server, request, { signal }) => {
    if (policy(server) === 'never') return { action: 'decline' }
    try {
      rate.take(server, 'an answer')
    } catch (error) {
      tell(server, `${String(error)}; the question was declined`)
      return { action: 'decline' }
    }
    const message = withoutHidden(request.message).text
    if (request.mode === 'url') {
      const { url } = request
      const host = parseUrl(url)?.host ?? url
      const warnings = addressWarnings(url)
      const { action } = await ask({ server, message, mode: 'url', url, host, warnings }, signal)
      return { action }
    }
    const { requestedSchema: schema } = request
    const warnings = secretWarnings(message, schema)
    const answer = await ask({ server, message, mode: 'form', schema, warnings }, signal)
    if (answer.action !== 'accept') return answer
    return { action: 'accept', content: answer.content ?? {} }
  }
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
