import { html, type Html } from './html.ts'

/** Leads on to somebody else's pages. */
export function continuePage(url: URL, name: string): Html {
  return html`<h1>Continue to ${name}</h1>
    <p class="soft">You are being taken to <strong>${url.host}</strong> to sign in.</p>
    <p><a href="${url.href}" rel="noreferrer">Continue to ${url.host}</a></p>`
}

/** Leads back to a client. */
export function clientPage(url: URL): Html {
  return html`<h1>Back to ${url.host}</h1>
    <p><a href="${url.href}" rel="noreferrer">Continue</a></p>`
}

/** Leads from there to where the sign-in goes on. */
export function backPage(url: URL): Html {
  return html`<h1>Signing you in</h1>
    <p><a href="${url.href}" rel="noreferrer">Continue</a></p>`
}
