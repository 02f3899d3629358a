import { redirectToProvider, showProviderConsent } from '../third-party/third-party-step.ts'
import { keepAccount } from './accounts.ts'
import { showSignIn } from './show-sign-in.ts'
import { completeSignIn, declineSignIn, type SignInContext } from './sign-in-context.ts'
import type { SignInLimits } from './sign-in-limits.ts'

/** Takes what somebody chose on the page. */
export async function signIn(context: SignInContext, limits: SignInLimits): Promise<void> {
  const answer = context.form.get('answer') ?? ''
  const [, step, provider] = /^(with|go)-(\d{1,2})$/.exec(answer) ?? []
  if (step === 'with') return showProviderConsent(context, Number(provider))
  if (step === 'go') return redirectToProvider(context, Number(provider))
  if (answer === 'cancel' || answer === 'deny') return declineSignIn(context, 'sign_in_failed')
  return checkPassword(context, limits)
}

async function checkPassword(context: SignInContext, limits: SignInLimits): Promise<void> {
  const { form, address, client, response, settings } = context
  const name = form.get('name') ?? ''
  const about = { clientId: client.clientId, address }
  const waitMs = limits.waitMs(name, address)
  if (waitMs > 0) {
    settings.audit({ type: 'sign_in_limited', ...about })
    response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)))
    return showSignIn(context, { text: waitText(waitMs), status: 429 })
  }
  if (!limits.enter()) return showSignIn(context, { text: busyText, status: 503 })
  limits.count(name, address) // before the check, or many at once would all be the first
  const account = await settings.users
    .verify(name, form.get('password') ?? '')
    .finally(() => limits.leave())
  if (account === undefined) {
    settings.audit({ type: 'sign_in_failed', ...about, reason: 'name or password is wrong' })
    return showSignIn(context, { text: 'The name or the password is wrong.', status: 403 })
  }
  limits.forget(name, address)
  await keepAccount({ claims: { preferred_username: name }, ...account }, settings, name)
  settings.audit({ type: 'sign_in', ...about, subject: account.subject })
  await completeSignIn(context, { login: { accountId: account.subject, amr: ['pwd'] } })
}

const busyText = 'Too many people are signing in just now. Try again in a moment.'

function waitText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000)
  return `There were too many attempts. Wait ${minutes} minute${minutes === 1 ? '' : 's'}.`
}
