/** What an element may be. Its children come from text, so it can hold nothing else. */
export type MarkdownTag =
  | 'p'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'strong'
  | 'em'
  | 's'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'

/** A part of a text in Markdown. There is none for HTML: it stays text. */
export type MarkdownNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'fence'; readonly text: string; readonly language: string }
  | { readonly kind: 'break' | 'rule' }
  /** TeX, within a line or on lines of its own. */
  | { readonly kind: 'formula'; readonly text: string; readonly isBlock: boolean }
  /** To follow: http, https or mailto. */
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly MarkdownNode[] }
  /** Anything else that was meant as a link: shown, and leads nowhere. */
  | { readonly kind: 'address'; readonly url: string; readonly children: readonly MarkdownNode[] }
  /** Never fetched. */
  | { readonly kind: 'image'; readonly url: string; readonly alt: string }
  | {
      readonly kind: 'element'
      readonly tag: MarkdownTag
      /** The first number of a numbered list. */
      readonly start?: number
      /** The alignment of the column that a cell stands in. */
      readonly align?: 'left' | 'center' | 'right'
      /** Whether an item of a task list is done; other items have none. */
      readonly isChecked?: boolean
      readonly children: readonly MarkdownNode[]
    }
