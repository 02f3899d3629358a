import { mask } from './mask-secrets.ts'
import { isSecretName } from './secret-names.ts'

/** Replaces the secrets among arguments: `--token VALUE`, `--token=VALUE` and the password of a URL; all else stays. */
export function mapSecretArguments(
  args: readonly string[],
  replace: (flag: string, value: string) => string,
): readonly string[] {
  return args.map((arg, at) => {
    const [, flag, value] = /^(--?[\w.-]+)=(.+)$/s.exec(arg) ?? []
    if (flag !== undefined && value !== undefined && isLiteralSecret(flag, value)) {
      return `${flag}=${replace(flag, value)}`
    }
    const before = args[at - 1] ?? ''
    const isValue = /^--?[\w.-]+$/.test(before) && !arg.startsWith('-')
    return isValue && isLiteralSecret(before, arg)
      ? replace(before, arg)
      : replaceInUrl(arg, replace)
  })
}

const urlPassword = /^((?:--?[\w.-]+=)?[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/]+)(@.*)$/is

/** The password in an address such as `postgres://ada:secret@host/notes`, also behind a flag. */
function replaceInUrl(arg: string, replace: (flag: string, value: string) => string): string {
  const [, before = '', password = '', after = ''] = urlPassword.exec(arg) ?? []
  if (!isLiteralSecret('password', password)) return arg
  return `${before}${replace(`${before}${after}`, password)}${after}`
}

/** Arguments that may be shown. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return mapSecretArguments(args, () => mask)
}

/** The secrets among arguments. */
export function secretArguments(args: readonly string[]): readonly string[] {
  const found: string[] = []
  mapSecretArguments(args, (_, value) => {
    found.push(value)
    return value
  })
  return found
}

/** Whether a value is a secret itself: what names a variable is none. */
export function isLiteralSecret(name: string, value: string): boolean {
  return isSecretName(name) && !value.includes('${') && value !== ''
}
