import { CliError } from '../exit.ts'
import { openHttpLink } from '../probe/http-link.ts'
import type { LinkOptions } from '../probe/link-options.ts'
import { openStdioLink } from '../probe/stdio-link.ts'
import type { Target } from '../target/target.ts'
import type { Subject } from './check.ts'

/** A target as something that can be tried from outside, without a client in between. */
export function subjectOf({ entry, name }: Target, options: LinkOptions = {}): Subject {
  const about = {
    timeoutMs: options.timeoutMs,
    ...(options.answer !== undefined && { clientCapabilities: { roots: {} } }),
  }
  if (!('url' in entry)) {
    return { kind: 'stdio', open: () => openStdioLink(entry, options), ...about }
  }
  if (!/^https?:/i.test(entry.url) || entry.type === 'sse') {
    throw new CliError('error', `${name} is not reached by Streamable HTTP or a command`, {
      hint: 'check and doctor support those two; `parley info` supports all.',
    })
  }
  const { url, headers } = entry
  return { kind: 'http', open: async () => openHttpLink(url, headers, options), ...about }
}
