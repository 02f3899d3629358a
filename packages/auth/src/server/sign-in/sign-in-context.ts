import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Client, Interaction, InteractionResults, Provider } from 'oidc-provider'

import { plainText } from '../../shared/json-document.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import type { Html } from '../pages/html.ts'
import { pageHeaders, renderPage } from '../pages/page.ts'
import { signInPath } from '../provider/metadata.ts'
import type { Settings } from '../settings.ts'
import type { SignInProviders } from '../third-party/third-parties.ts'
import { signInTime } from './accounts.ts'
import { formToken } from './form-token.ts'

/** One request to the pages. */
export interface PageRequest {
  readonly method: string
  /** From the path. */
  readonly uid: string
  readonly headers: Headers
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly address: string | undefined
}

/** A request to the pages that belongs to a sign-in under way. */
export interface SignInContext extends PageRequest {
  readonly provider: Provider
  readonly settings: Settings
  readonly signInProviders: SignInProviders
  /** Signs forms. */
  readonly secret: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly interaction: Interaction
  readonly client: Client
}

/** The address that forms of this sign-in are sent to, and their token. */
export function formOf({ interaction, secret, settings }: SignInContext) {
  const { uid } = interaction
  return {
    action: `${settings.basePath}${signInPath}/${uid}`,
    token: formToken(secret, uid),
  }
}

/** Shows a page whose form may lead to where the client is. */
export function sendPage(
  { response, interaction }: SignInContext,
  page: {
    readonly status?: number
    readonly title: string
    readonly content: Html
    /** Where the browser goes from here by itself. */
    readonly resume?: URL
  },
): void {
  const headers = pageHeaders(String(interaction.params['redirect_uri']))
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (page.resume) response.setHeader('refresh', `0; url=${page.resume.href}`)
  response.statusCode = page.status ?? 200
  response.end(renderPage(page.title, page.content))
}

/** Sends the person on, signed in. Whoever was signed in before in this browser is so no longer. */
export async function completeSignIn(
  { provider, interaction, request, response, settings }: SignInContext,
  {
    login,
    consent,
  }: Pick<InteractionResults, 'consent'> & {
    readonly login: { readonly accountId: string; readonly amr: string[] }
  },
): Promise<void> {
  const ts = await signInTime(login.accountId, settings)
  const result = { login: { ...login, ts, remember: false }, ...(consent && { consent }) }
  const target = await provider.interactionResult(request, response, result)
  const { uid, accountId } = interaction.session ?? {}
  if (uid !== undefined && accountId !== undefined && accountId !== login.accountId) {
    const session = await provider.Session.findByUid(uid)
    if (session !== undefined) {
      delete session.accountId
      delete session.authorizations
      await session.persist()
    }
  }
  redirect(response, target)
}

/** Sends the browser somewhere else of ours. */
export function redirect(response: ServerResponse, target: string): void {
  response.statusCode = 303
  response.setHeader('location', target)
  response.end()
}

/** Sends the person back to the client with their no. */
export async function declineSignIn(
  { provider, settings, client, request, response, address }: SignInContext,
  type: 'sign_in_failed' | 'consent_refused',
): Promise<void> {
  const reason = 'the user declined'
  settings.audit({ type, clientId: client.clientId, address, reason })
  const denial = { error: 'access_denied', error_description: reason }
  await provider.interactionFinished(request, response, denial, { mergeWithLastSubmission: false })
}

/** Returns the name of a client for people. */
export function nameOf({ clientName, clientId }: Client): string {
  return plainText(clientName ?? parseUrl(clientId)?.host ?? clientId, 80)
}
