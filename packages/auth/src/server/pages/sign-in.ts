import { html, type Html } from './html.ts'

/** The data of the sign-in page. */
export interface SignInView {
  readonly serverName: string
  readonly clientName: string
  readonly action: string
  readonly token: string
  readonly name?: string | undefined
  readonly hasPasswords: boolean
  /** The identity providers that can be used instead. */
  readonly others: readonly string[]
  /** Why it is shown again. */
  readonly problem?: string | undefined
}

/** Name and password, for who wants to use a server through a client. */
export function signInPage(view: SignInView): Html {
  const { serverName, clientName, action, token, hasPasswords, others, problem } = view
  return html`<h1>Sign in</h1>
    <p class="soft">to ${serverName}, to continue to <strong>${clientName}</strong></p>
    ${problem !== undefined && html`<p class="bad" id="problem" role="alert">${problem}</p>`}
    <form method="post" action="${action}">
      <input type="hidden" name="token" value="${token}" />
      ${hasPasswords && passwordFields(view)}
      ${others.map(
        (other, index) =>
          html`<button name="answer" value="with-${index}" formnovalidate>
            Continue with ${other}
          </button>`,
      )}
      <button name="answer" value="cancel" formnovalidate>Cancel</button>
    </form>`
}

function passwordFields({ name = '', problem }: SignInView): Html {
  const described = problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`
  return html`<label for="name">Name</label>
    <input
      id="name"
      name="name"
      value="${name}"
      required
      maxlength="200"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      ${described}${name === '' && html` autofocus`}
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      required
      maxlength="1000"
      autocomplete="current-password"
      ${described}${name !== '' && html` autofocus`}
    />
    <button class="main" name="answer" value="sign-in">Sign in</button>`
}
