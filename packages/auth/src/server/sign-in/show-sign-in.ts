import { plainText } from '../../shared/json-document.ts'
import { signInPage } from '../pages/sign-in.ts'
import { formOf, nameOf, sendPage, type SignInContext } from './sign-in-context.ts'

interface Problem {
  readonly text: string
  readonly status: number
}

/** Shows the sign-in page, a second time with what went wrong. */
export function showSignIn(context: SignInContext, problem?: Problem): void {
  const { interaction, client, form, settings } = context
  const hint = interaction.params['login_hint']
  const content = signInPage({
    ...formOf(context),
    serverName: settings.name,
    clientName: nameOf(client),
    name: form.get('name') ?? (typeof hint === 'string' ? plainText(hint, 100) : ''),
    problem: problem?.text,
    hasPasswords: settings.hasPasswords,
    others: settings.signInWith.map(({ name }) => name),
  })
  const title = `${problem === undefined ? '' : 'Error: '}Sign in – ${settings.name}`
  sendPage(context, { status: problem?.status ?? 200, title, content })
}
