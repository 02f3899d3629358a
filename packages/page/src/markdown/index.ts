export { CodeBlock } from './code-block.tsx'
export { looksLikeMarkdown } from './looks-like-markdown.ts'
export { Markdown } from './markdown.tsx'
