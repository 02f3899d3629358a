import { parseUrl } from '../../shared/url-rules.ts'
import { html } from '../pages/html.ts'
import { pageHeaders, renderPage } from '../pages/page.ts'
import type { Settings } from '../settings.ts'
import { redirectKind } from './client-metadata.ts'

/**
 * A client that named itself could send anybody anywhere by a request that is wrong on purpose: the error goes to its own
 * address before a person has seen our name. So there the person is asked first (OAuth 2.1, section 7.12.2). A program on
 * the person's own machine, and a client that was agreed on, are told at once.
 */
export function confirmUnverifiedRedirect(
  response: Response,
  clientId: string | null,
  settings: Settings,
): Response {
  const { issuerUrl, clients, name } = settings
  const target = parseUrl(response.headers.get('location') ?? '')
  if (target === undefined || target.origin === issuerUrl.origin) return response
  const isError = [target.search, target.hash.slice(1)].some((part) =>
    new URLSearchParams(part).has('error'),
  )
  const isKnown = clients.some((client) => client.clientId === clientId)
  if (!isError || isKnown || redirectKind(`${target.origin}/`) !== 'web') return response
  const page = renderPage(
    `Cannot continue – ${name}`,
    html`<h1>Sign-in cannot continue</h1>
      <p role="alert">The program that sent you here made a request that cannot be granted.</p>
      <p class="soft">
        You can return to ${target.host} to tell the program. ${name} has not verified that site.
      </p>
      <p><a href="${target.href}" rel="noreferrer nofollow">Continue to ${target.host}</a></p>`,
  )
  return new Response(page, { status: 400, headers: pageHeaders() })
}
