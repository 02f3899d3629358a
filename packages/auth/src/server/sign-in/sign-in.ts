import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Provider } from 'oidc-provider'

import { pageHeaders } from '../pages/page.ts'
import { rejectionPage } from '../pages/refusal.ts'
import type { Settings } from '../settings.ts'
import type { SignInProviders } from '../third-party/third-parties.ts'
import { returnFromProvider } from '../third-party/third-party-step.ts'
import { decide, showConsent } from './consent-step.ts'
import { isForeign, isFormToken } from './form-token.ts'
import { showSignIn } from './show-sign-in.ts'
import { formOf, type PageRequest } from './sign-in-context.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { signIn } from './sign-in-step.ts'

/** The pages where a person signs in and agrees. */
export async function finishSignIn(
  page: PageRequest,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  service: {
    readonly provider: Provider
    readonly settings: Settings
    readonly secret: string
    readonly limits: SignInLimits
    readonly signInProviders: SignInProviders
  },
): Promise<void> {
  const { provider, settings, secret, limits, signInProviders } = service
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined) // no cookie, or too late
  const clientId = interaction?.params['client_id']
  const client = typeof clientId === 'string' ? await provider.Client.find(clientId) : undefined
  if (interaction?.uid !== page.uid || client === undefined) {
    return reject(400, 'This sign-in has ended, or was started in another browser.')
  }
  const own = { provider, settings, secret, signInProviders }
  const context = { ...page, ...own, request, response, interaction, client }
  const isSignIn = interaction.prompt.name === 'login'
  if (page.method !== 'POST') {
    if (!isSignIn) return showConsent(context)
    return page.query.has('state') ? returnFromProvider(context, page.query) : showSignIn(context)
  }

  const isOurs = isFormToken(page.form.get('token'), formOf(context).token)
  if (!isOurs || isForeign(page.headers, settings.issuerUrl.origin)) {
    settings.audit({ type: 'request_forged', clientId: client.clientId, address: page.address })
    return reject(403, 'This form was not sent from our page.')
  }
  return isSignIn ? signIn(context, limits) : decide(context)

  function reject(status: number, text: string): void {
    for (const [name, value] of Object.entries(pageHeaders())) response.setHeader(name, value)
    response.statusCode = status
    response.end(rejectionPage(settings.name, text))
  }
}
