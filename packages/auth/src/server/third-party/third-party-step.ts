import { consentPage } from '../pages/consent.ts'
import { continuePage } from '../pages/continue.ts'
import { keepAccount } from '../sign-in/accounts.ts'
import { allowClient, viewOf } from '../sign-in/consent-step.ts'
import { showSignIn } from '../sign-in/show-sign-in.ts'
import { completeSignIn, formOf, sendPage, type SignInContext } from '../sign-in/sign-in-context.ts'
import type { PartyClient } from './party-client.ts'
import { accountAt } from './third-party.ts'

/**
 * A third party knows this server as one client, and lets everybody through who agreed to that once. So people are asked
 * here about the program they came from, each time and before anything goes to the third party.
 */
export function showThirdPartyConsent(context: SignInContext, party: number): void {
  const client = context.parties.clients[party]
  if (client === undefined) return showSignIn(context)
  const { name } = client.party
  const content = consentPage({
    ...viewOf(context),
    ...formOf(context),
    onward: { name, answer: `go-${party}` },
  })
  return sendPage(context, { title: `Allow access – ${context.settings.name}`, content })
}

/** The person has agreed: now there is a state to come back with. */
export async function goToThirdParty(context: SignInContext, party: number): Promise<void> {
  const { parties, interaction, client } = context
  const to = parties.clients[party]
  if (to === undefined) return showSignIn(context)
  const { uid } = interaction
  try {
    const url = await parties.begin({ uid, clientId: client.clientId, party })
    const content = continuePage(url, to.party.name)
    // A page and no redirect: browsers hold what follows a form to the form's rules, and we do not know where it leads.
    sendPage(context, { title: `Continue – ${context.settings.name}`, content, goOn: url })
  } catch (error) {
    failed(context, to, error, `${to.party.name} cannot be reached. Try again later.`)
  }
}

/** Somebody is back from a third party. */
export async function returnFromThirdParty(
  context: SignInContext,
  callback: URLSearchParams,
): Promise<void> {
  const { parties, interaction, client, settings, address } = context
  const pending = await parties.take(callback.get('state') ?? '')
  const from = pending && parties.clients[pending.party]
  const isOurs = pending?.uid === interaction.uid && pending.clientId === client.clientId
  if (from === undefined || !isOurs) {
    settings.audit({ type: 'request_forged', clientId: client.clientId, address })
    return showSignIn(context, { text: 'That sign-in has ended. Start again.', status: 400 })
  }
  const { name, issuer } = from.party
  let arrived: Awaited<ReturnType<PartyClient['complete']>>
  try {
    arrived = await from.complete(callback, pending)
  } catch (error) {
    return failed(context, from, error, `${name} did not sign you in.`)
  }
  const account = accountAt(from.party, arrived.claims)
  if (account === undefined) {
    return failed(
      context,
      from,
      'may not sign in here',
      `Your account at ${name} is not allowed to sign in here.`,
    )
  }
  await keepAccount(account, settings)
  await parties.keep(account.subject, issuer, arrived.tokens)
  const { subject } = account
  settings.audit({ type: 'sign_in', clientId: client.clientId, subject, address, reason: issuer })
  const consent = await allowClient(context, subject)
  await completeSignIn(context, { login: { accountId: subject, amr: ['fed'] }, consent })
}

function failed(
  context: SignInContext,
  { party }: PartyClient,
  cause: unknown,
  text: string,
): void {
  const { settings, client, address } = context
  const why = cause instanceof Error ? cause.message : String(cause)
  const reason = `${party.issuer}: ${why}`
  settings.audit({ type: 'sign_in_failed', clientId: client.clientId, address, reason })
  showSignIn(context, { text, status: 403 })
}
