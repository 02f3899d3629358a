import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Certificates that are made for one test, and gone with its folder. */
export interface Authority {
  /** The file of its own certificate. */
  readonly file: string
  /** A certificate that it issues; files without ending. */
  issue(name: string, options?: IssueOptions): { readonly cert: string; readonly key: string }
}

interface IssueOptions {
  readonly names?: string | undefined
  /** Ended yesterday. */
  readonly isExpired?: boolean | undefined
  /** Of the files, where another has the same name. */
  readonly file?: string | undefined
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' })
}

export function createAuthority(folder: string, name: string): Authority {
  const file = join(folder, `${name}.pem`)
  const key = join(folder, `${name}.key`)
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const basic = ['-addext', 'basicConstraints=critical,CA:TRUE']
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    key,
    '-out',
    file,
    '-days',
    '30',
    '-subj',
    `/CN=${name}`,
    ...basic,
  )
  return {
    file,
    issue(subject, { names, isExpired = false, file: own = subject } = {}) {
      const at = join(folder, own)
      openssl(
        'req',
        ...curve,
        '-keyout',
        `${at}.key`,
        '-out',
        `${at}.csr`,
        '-subj',
        `/CN=${subject}`,
      )
      const extensions = `${at}.ext`
      writeFileSync(
        extensions,
        names === undefined ? 'keyUsage=digitalSignature\n' : `subjectAltName=${names}\n`,
      )
      const serial = String(Math.floor(Math.random() * 1e9) + 1)
      const parts = ['-CA', file, '-CAkey', key, '-set_serial', serial, '-extfile', extensions]
      const times = ['-days', isExpired ? '-1' : '30']
      openssl('x509', '-req', '-in', `${at}.csr`, '-out', `${at}.pem`, ...parts, ...times)
      return { cert: `${at}.pem`, key: `${at}.key` }
    },
  }
}
