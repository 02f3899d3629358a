import { parseUrl } from '@parley/mcp/address'
import type { AppPage } from '@parley/mcp/apps'

import { findLoads, type AppLoad } from './app-loads.ts'
import type { Finding } from './finding.ts'

/** What a page would do that its own declaration forbids, and what it declares without need. */
export function lintApp({ html, csp, rejected, permissions }: AppPage): readonly Finding[] {
  const loads = findLoads(html)
  return [
    ...rejected.map(({ list, domain, why }): Finding => ({
      level: 'error',
      message: 'An origin in its policy is not allowed.',
      detail: `${list}: ${domain}`,
      hint: `Hosts ignore or refuse it: ${why}.`,
    })),
    ...loads.flatMap((load) => lintLoad(load, csp)),
    ...unused(loads, csp),
    ...(html.includes('ui/initialize') || loads.some(({ how }) => how === 'script')
      ? []
      : [silent]),
    ...(/<!doctype html/i.test(html.slice(0, 1000)) ? [] : [noDoctype]),
    ...(Object.keys(permissions).length > 0 ? [asksFor(Object.keys(permissions))] : []),
    ...(/\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/.test(html)
      ? [usesStorage]
      : []),
  ]
}

const silent: Finding = {
  level: 'warning',
  message: 'The page never sends ui/initialize.',
  hint: 'Without it a host tells the page nothing: use connectApp() of @parley/mcp/apps/page, or App of @modelcontextprotocol/ext-apps.',
}
const noDoctype: Finding = {
  level: 'info',
  message: 'The page has no <!doctype html>.',
  hint: 'Browsers then lay it out as pages of the nineties.',
}
const usesStorage: Finding = {
  level: 'info',
  message: 'The page names storage of the browser, which most hosts do not give to apps.',
  hint: 'Catch the error, and keep what matters on the server.',
}

function asksFor(names: readonly string[]): Finding {
  return {
    level: 'info',
    message: 'The page asks for permissions of the browser, which hosts may refuse.',
    detail: names.join(', '),
    hint: 'Look whether the feature is there before using it.',
  }
}

function lintLoad({ how, url }: AppLoad, csp: AppPage['csp']): readonly Finding[] {
  if (how === 'form') {
    return [
      {
        level: 'error',
        message: 'A form is sent to an address, which no policy of an app allows.',
        detail: url,
        hint: 'Handle the submit event, and call a tool.',
      },
    ]
  }
  const origin = originOf(url)
  if (origin === undefined) {
    return [
      {
        level: 'error',
        message: 'The page loads a file beside it, which no host serves.',
        detail: url,
        hint: 'An app is one document: put scripts, styles and pictures into it.',
      },
    ]
  }
  const list = lists[how]
  if (csp[list].some((domain) => isCovered(origin, domain))) return []
  return [
    {
      level: 'error',
      message: `The page ${verbs[how]}, which its policy forbids.`,
      detail: url.slice(0, 200),
      hint: `Add ${JSON.stringify(origin)} to csp.${list}, or do without.`,
    },
  ]
}

function unused(loads: readonly AppLoad[], csp: AppPage['csp']): readonly Finding[] {
  const used = loads.map(({ url }) => originOf(url)).filter((candidate) => candidate !== undefined)
  const all = [...csp.resourceDomains, ...csp.frameDomains]
  return [...new Set(all)]
    .filter((domain) => !used.some((origin) => isCovered(origin, domain)))
    .map((domain) => ({
      level: 'info',
      message: 'An origin is declared that the page does not name.',
      detail: domain,
      hint: 'People are shown every origin that an app declares: leave out what it does not need.',
    }))
}

const lists = {
  script: 'resourceDomains',
  style: 'resourceDomains',
  picture: 'resourceDomains',
  frame: 'frameDomains',
  connection: 'connectDomains',
  base: 'baseUriDomains',
} as const satisfies { readonly [how in Exclude<AppLoad['how'], 'form'>]: keyof AppPage['csp'] }

const verbs: { readonly [how in keyof typeof lists]: string } = {
  script: 'loads a script',
  style: 'loads a style or font',
  picture: 'loads a picture, sound or film',
  frame: 'shows a frame',
  connection: 'talks to an address',
  base: 'has a base address',
}

/** Undefined for an address that is relative. */
function originOf(url: string): string | undefined {
  const whole = url.startsWith('//') ? `https:${url}` : url
  const address = /^(?:https?|wss?):/i.test(whole) ? parseUrl(whole) : undefined
  return address && `${address.protocol}//${address.host}`
}

/** As browsers compare a source of a policy with an origin. */
function isCovered(origin: string, domain: string): boolean {
  if (origin === domain) return true
  const [scheme = '', host = ''] = domain.split('://')
  if (!host.startsWith('*.')) return false
  return origin.startsWith(`${scheme}://`) && origin.endsWith(host.slice(1))
}
