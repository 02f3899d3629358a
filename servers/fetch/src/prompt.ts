import { ToolError } from '@parley/mcp'
import { definePrompt, message, type Feature } from '@parley/mcp/server'
import { z } from 'zod'

import { cutText } from './cut.ts'
import type { FetchPage } from './fetch-page.ts'
import { readPageUrl, showAddress } from './page-url.ts'
import { reportProgress } from './report-progress.ts'

/** A message stays within what a peer takes. */
const maxCharacters = 1_000_000

/** A page that the user chose: robots.txt is about programs, so it is not asked. */
export function fetchPrompt(fetchPage: FetchPage): Feature {
  return definePrompt(
    'fetch',
    {
      title: 'Fetch',
      description: 'Fetch a URL and put what stands there into the conversation as markdown',
      argumentsSchema: z.object({ url: z.string().describe('The page to fetch') }),
    },
    async ({ url: address }, context) => {
      try {
        const url = readPageUrl(address)
        const { signal } = context
        const onProgress = reportProgress(context)
        const { prefix, text } = await fetchPage(url, 'user-specified', { signal, onProgress })
        const { shown } = cutText(text, 0, maxCharacters)
        return {
          description: `Contents of ${url.href}`,
          messages: [message('user', `${prefix}${shown}`)],
          _meta: { 'parley/untrusted-content': true },
        }
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
        return {
          description: `Failed to fetch ${showAddress(address)}`,
          messages: [message('user', error.message)],
        }
      }
    },
  )
}
