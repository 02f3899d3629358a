import { isJsonObject } from '@parley/mcp/json'
import type { Client } from 'oidc-provider'

import { plainText } from '../../shared/json-document.ts'
import { isDocumentUrl } from '../clients/client-document.ts'
import { redirectKind } from '../clients/client-metadata.ts'
import { consentPage, type ConsentView } from '../pages/consent.ts'
import { usedClientMs } from '../provider/adapter.ts'
import { routes } from '../provider/metadata.ts'
import type { Settings } from '../settings.ts'
import { readRequest, rememberConsent, saveGrant, shownResource } from './consents.ts'
import {
  formOf,
  declineSignIn,
  nameOf,
  redirect,
  sendPage,
  type SignInContext,
} from './sign-in-context.ts'

/** Shows what a client asks for, and who it is. */
export async function showConsent(context: SignInContext): Promise<void> {
  const { interaction, settings } = context
  const person = await personOf(String(interaction.session?.accountId), settings)
  const content = consentPage({ ...viewOf(context), ...formOf(context), person })
  sendPage(context, { title: `Allow access – ${settings.name}`, content })
}

/** Describes the client and its request in words. */
export function viewOf({
  interaction,
  client,
  settings,
}: SignInContext): Omit<ConsentView, 'person' | 'onward' | 'action' | 'token'> {
  const { resource, scopes, own, redirectUri } = readRequest(interaction.params, client, settings)
  return {
    clientName: nameOf(client),
    identity: identityOf(client, settings),
    redirect: describeRedirect(redirectUri),
    redirectUri: plainText(redirectUri, 300),
    resource: shownResource(resource, settings),
    scopes: [...scopes, ...own].map((scope) => wordsOf(scope, settings)),
  }
}

/** Takes a person's answer. */
export function decide(context: SignInContext): Promise<void> {
  switch (context.form.get('answer') ?? '') {
    case 'allow':
      return allow(context)
    case 'switch':
      return switchPerson(context)
    default:
      return declineSignIn(context, 'consent_refused')
  }
}

async function allow(context: SignInContext): Promise<void> {
  const { interaction, request, response, provider } = context
  const consent = await allowClient(context, String(interaction.session?.accountId))
  await provider.interactionFinished(request, response, { consent })
}

/** Writes down somebody's yes to all that was shown. */
export async function allowClient(
  { interaction, client, provider, settings, address }: SignInContext,
  subject: string,
): Promise<{ readonly grantId: string }> {
  const request = readRequest(interaction.params, client, settings)
  const { clientId, resource, scopes } = request
  const grant = new provider.Grant({ accountId: subject, clientId })
  await saveGrant(grant, request)
  await rememberConsent({ ...request, subject }, settings)
  await keepClient(clientId, settings)
  settings.audit({ type: 'consent_given', clientId, subject, resource, scopes, address })
  return { grantId: grant.jti }
}

/** Forgets who is signed in and begins the same request again. */
async function switchPerson(context: SignInContext): Promise<void> {
  const { interaction, response, client, provider, settings, address } = context
  const uid = interaction.session?.uid
  const session = uid === undefined ? undefined : await provider.Session.findByUid(uid)
  await session?.destroy()
  await interaction.destroy()
  const { clientId } = client
  settings.audit({ type: 'sign_out', clientId, address, subject: session?.accountId })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(interaction.params)) {
    if (typeof value === 'string') query.append(name, value)
  }
  redirect(response, `${settings.basePath}${routes.authorization}?${query.toString()}`)
}

/** A client that registered itself stays known once somebody has agreed to it. */
async function keepClient(clientId: string, { store }: Settings): Promise<void> {
  const stored = await store.get('Client', clientId)
  if (isJsonObject(stored)) await store.set('Client', clientId, stored, usedClientMs)
}

function identityOf({ clientId }: Client, { clients }: Settings): ConsentView['identity'] {
  if (clients.some((client) => client.clientId === clientId)) return { kind: 'known' }
  if (!isDocumentUrl(clientId)) return { kind: 'registered' }
  return { kind: 'document', host: new URL(clientId).host }
}

function wordsOf(scope: string, { scopes }: Settings): string {
  if (scope === 'openid') return 'know who you are'
  if (scope === 'offline_access') return 'stay signed in when you are away'
  return scopes?.[scope] ?? (scope === 'mcp' ? 'use everything this server offers' : scope)
}

async function personOf(subject: string, { users, store }: Settings): Promise<string> {
  const stored: unknown = await store.get('Account', subject)
  const typed = isJsonObject(stored) ? stored['signedInAs'] : undefined
  const found: unknown = (await users.find?.(subject)) ?? stored
  const claims = isJsonObject(found) ? found['claims'] : undefined
  const { name, preferred_username: login, email } = isJsonObject(claims) ? claims : {}
  // The name that was typed is the one that a person knows.
  const shown = [typed, name, login, email].find((candidate) => typeof candidate === 'string')
  return plainText(shown ?? subject, 80)
}

function describeRedirect(uri: string): ConsentView['redirect'] {
  const { host, protocol } = new URL(uri)
  const kind = redirectKind(uri)
  if (kind === 'web' || kind === 'loopback') return { kind, host }
  return { kind: 'app', scheme: protocol.slice(0, -1) }
}
