import { html, type Html } from './html.ts'

/** The data of the consent page. */
export interface ConsentView {
  readonly clientName: string
  /** How we know the client. */
  readonly identity:
    | { readonly kind: 'document'; readonly host: string }
    | { readonly kind: 'registered' }
    | { readonly kind: 'known' }
  readonly redirect:
    | { readonly kind: 'web'; readonly host: string }
    | { readonly kind: 'loopback'; readonly host: string }
    | { readonly kind: 'app'; readonly scheme: string }
  /** In full. */
  readonly redirectUri: string
  readonly resource: string
  /** In words. */
  readonly scopes: readonly string[]
  /** The person who is signed in; undefined without one. */
  readonly person?: string | undefined
  /** Where a yes leads to first: somebody to sign in with. */
  readonly onward?: { readonly name: string; readonly answer: string } | undefined
  readonly action: string
  readonly token: string
}

/** Asks a person whether a client may act for them: what it can do first, and addresses and ids on demand. */
export function consentPage(view: ConsentView): Html {
  const { clientName, resource, redirectUri, scopes, person, onward, action, token } = view
  const warning = warningOf(view)
  return html`<h1>Allow ${clientName}?</h1>
    <p class="soft">It asks to use <strong>${resource}</strong> on your behalf.</p>
    <form method="post" action="${action}">
      <input type="hidden" name="token" value="${token}" />
      ${
        person !== undefined &&
        html`<p class="who">
          <span>Signed in as <strong>${person}</strong></span>
          <button class="link" name="answer" value="switch">Switch account</button>
        </p>`
      }
      <h2>It will be able to</h2>
      <ul>
        ${scopes.map((scope) => html`<li>${scope}</li>`)}
      </ul>
      ${
        warning !== undefined &&
        html`<p class="warn" role="note"><strong>Be careful.</strong> ${warning}</p>`
      }
      <div class="answers">
        <button name="answer" value="deny">Deny</button>
        <button class="main" name="answer" value="${onward?.answer ?? 'allow'}">
          ${onward === undefined ? 'Allow' : `Allow, and continue with ${onward.name}`}
        </button>
      </div>
    </form>
    <details>
      <summary>Details</summary>
      <dl>
        <dt>Program</dt>
        <dd>${clientName}</dd>
        <dt>Identified by</dt>
        <dd>${identityText(view)}</dd>
        <dt>Returns to</dt>
        <dd>${redirectText(view)}<br /><small class="soft">${redirectUri}</small></dd>
        <dt>Server</dt>
        <dd>${resource}</dd>
      </dl>
    </details>`
}

function identityText({ identity }: ConsentView): string {
  switch (identity.kind) {
    case 'document':
      return identity.host
    case 'registered':
      return 'nobody: the program chose this name itself'
    case 'known':
      return 'this server, which knows it'
  }
}

function redirectText({ redirect }: ConsentView): string {
  switch (redirect.kind) {
    case 'web':
      return redirect.host
    case 'loopback':
      return `a program on your computer (${redirect.host})`
    case 'app':
      return `an app on your device (${redirect.scheme}:)`
  }
}

/** One warning: the one that matters most. */
function warningOf({ identity, redirect }: ConsentView): string | undefined {
  if (redirect.kind !== 'web') {
    return 'The response goes to a program on this device, and any program here can use that name. Allow it only if you have just started this yourself.'
  }
  if (identity.kind === 'document' && identity.host !== redirect.host) {
    return `The program belongs to ${identity.host}, but the response goes to ${redirect.host}.`
  }
  return identity.kind === 'registered'
    ? `The name of this program is not verified. The response goes to ${redirect.host}.`
    : undefined
}
