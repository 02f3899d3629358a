import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'

import { plainText } from '../../shared/json-document.ts'
import type { Settings } from '../settings.ts'
import { html } from './html.ts'
import { pageHeaders, renderPage } from './page.ts'

/** A page for somebody whose request cannot go on and must not be redirected. */
export function rejectionPage(serverName: string, text: string, detail?: string): string {
  return renderPage(
    `Cannot continue – ${serverName}`,
    html`<h1>Sign-in cannot continue</h1>
      <p role="alert">${text}</p>
      ${detail !== undefined && html`<p class="soft">${plainText(detail)}</p>`}
      <p class="soft">Close this page, go back to the program you came from and start again.</p>`,
  )
}

/** The same as an answer. */
export function rejectionResponse(status: number, serverName: string, text: string): Response {
  return new Response(rejectionPage(serverName, text), { status, headers: pageHeaders() })
}

/** The texts of errors that the visitor did not cause. */
const textOf: { readonly [error: string]: string } = {
  server_error: 'Something went wrong here.',
  temporarily_unavailable: 'This is not available right now. Try again later.',
}

/** Renders the page for a request so wrong that its sender must not be told by a redirect. */
export function renderRejection(
  context: KoaContextWithOIDC,
  out: ErrorOut,
  { name }: Settings,
): void {
  for (const [header, value] of Object.entries(pageHeaders())) context.set(header, value)
  const detail =
    out.error_description === undefined ? out.error : `${out.error}: ${out.error_description}`
  const text = textOf[out.error] ?? 'The program sent an invalid request.'
  context.body = rejectionPage(name, text, detail)
}
