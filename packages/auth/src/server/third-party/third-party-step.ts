import { errorMessage } from '@parley/mcp/json'

import { createTokenFetch } from '../../resource/upstream/upstream.ts'
import { consentPage } from '../pages/consent.ts'
import { continuePage } from '../pages/continue.ts'
import { keepAccount } from '../sign-in/accounts.ts'
import { allowClient, viewOf } from '../sign-in/consent-step.ts'
import { showSignIn } from '../sign-in/show-sign-in.ts'
import { completeSignIn, formOf, sendPage, type SignInContext } from '../sign-in/sign-in-context.ts'
import type { UserAccount } from '../sign-in/users.ts'
import type { AuthorizationResult } from './party-client.ts'
import { accountAt, providerApi } from './sign-in-provider.ts'
import type { Party } from './third-parties.ts'

/**
 * A third party knows this server as one client, and lets everybody through who agreed to that once. So people are asked
 * here about the program they came from, each time and before anything goes to the third party.
 */
export function showProviderConsent(context: SignInContext, index: number): void {
  const provider = context.signInProviders.providers[index]
  if (provider === undefined) return showSignIn(context)
  const { name } = provider.provider
  const content = consentPage({
    ...viewOf(context),
    ...formOf(context),
    onward: { name, answer: `go-${index}` },
  })
  return sendPage(context, { title: `Allow access – ${context.settings.name}`, content })
}

/** The person has agreed: now there is a state to come back with. */
export async function redirectToProvider(context: SignInContext, index: number): Promise<void> {
  const { signInProviders, interaction, client } = context
  const provider = signInProviders.providers[index]
  if (provider === undefined) return showSignIn(context)
  const { uid } = interaction
  const { name } = provider.provider
  try {
    const url = await signInProviders.begin(provider, { uid, clientId: client.clientId })
    const content = continuePage(url, name)
    // A page and no redirect: browsers hold what follows a form to the form's rules, and we do not know where it leads.
    sendPage(context, { title: `Continue – ${context.settings.name}`, content, resume: url })
  } catch (error) {
    failed(context, provider, error, `${name} cannot be reached. Try again later.`)
  }
}

/** Somebody is back from a third party. */
export async function returnFromProvider(
  context: SignInContext,
  callback: URLSearchParams,
): Promise<void> {
  const { signInProviders, interaction, client, settings, address } = context
  const pending = await signInProviders.take(callback.get('state') ?? '')
  const from = signInProviders.providers.find(({ id }) => id === pending?.provider)
  const isOurs = pending?.uid === interaction.uid && pending.clientId === client.clientId
  if (pending === undefined || from === undefined || !isOurs) {
    settings.audit({ type: 'request_forged', clientId: client.clientId, address })
    return showSignIn(context, { text: 'That sign-in has ended. Start again.', status: 400 })
  }
  const { id, provider } = from
  const { name } = provider
  let arrived: AuthorizationResult
  let account: UserAccount | undefined
  try {
    arrived = await from.client.complete(callback, pending)
    account = await accountAt(provider, arrived.claims, asThem(from, arrived))
  } catch (error) {
    return failed(context, from, error, `${name} did not sign you in.`)
  }
  if (account === undefined) {
    return failed(
      context,
      from,
      'may not sign in here',
      `Your account at ${name} is not allowed to sign in here.`,
    )
  }
  await keepAccount(account, settings)
  const { subject } = account
  await signInProviders.tokens.keep(subject, id, arrived)
  settings.audit({ type: 'sign_in', clientId: client.clientId, subject, address, reason: name })
  const consent = await allowClient(context, subject)
  await completeSignIn(context, { login: { accountId: subject, amr: ['fed'] }, consent })
}

/** Calls the provider's API as somebody who has just arrived from it. */
function asThem(
  { provider }: Party,
  { tokens: { accessToken: token } }: AuthorizationResult,
): typeof fetch {
  const { apiHeaders: headers = {} } = provider
  return createTokenFetch(async () => ({ token, headers, api: providerApi(provider) }))
}

function failed(context: SignInContext, { provider }: Party, cause: unknown, text: string): void {
  const { settings, client, address } = context
  const why = errorMessage(cause)
  const reason = `${provider.name}: ${why}`
  settings.audit({ type: 'sign_in_failed', clientId: client.clientId, address, reason })
  showSignIn(context, { text, status: 403 })
}
