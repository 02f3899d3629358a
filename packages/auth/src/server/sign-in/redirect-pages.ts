import { parseUrl } from '../../shared/url-rules.ts'
import { backPage, clientPage } from '../pages/continue.ts'
import type { Html } from '../pages/html.ts'
import { pageHeaders, renderPage } from '../pages/page.ts'
import type { Settings } from '../settings.ts'

/**
 * Leads from our pages to where the client is. Not by a redirect: browsers hold all that follows a form to the form's rules,
 * the client's own redirects too, and we do not know where these lead. An application on the device is the end of the way.
 */
export function redirectToClient(response: Response, { issuerUrl, name }: Settings): Response {
  const target = parseUrl(response.headers.get('location') ?? '')
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  if (target === undefined || !isWeb || target.origin === issuerUrl.origin) return response
  const headers = new Headers(response.headers) // cookies, and the address for who is no browser
  return onward(`Back to ${target.host} – ${name}`, clientPage(target), target, headers)
}

/** Leads somebody who comes from a third party to their sign-in: its page may have rules about where its form leads. */
export function redirectToSignIn(target: URL, { name }: Settings): Response {
  return onward(`Signing in – ${name}`, backPage(target), target)
}

function onward(title: string, content: Html, target: URL, headers = new Headers()): Response {
  for (const [header, value] of Object.entries(pageHeaders())) headers.set(header, value)
  headers.set('refresh', `0; url=${target.href}`)
  return new Response(renderPage(title, content), { headers })
}
