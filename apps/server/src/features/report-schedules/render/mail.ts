/** A figure with how it was before, or why it is not known. */
export type Figure = { label: string; value: string; note: string | null }

export type Table = {
  kind: 'table'
  title: string
  head: readonly string[]
  /** The first cell names the row. */
  rows: readonly (readonly string[])[]
  /** Said instead of an empty table. */
  none: string
  /** Names are long, such as domains: each stands above its row. */
  isWide?: boolean
}

export type Block =
  | { kind: 'figures'; title: string | null; figures: readonly Figure[] }
  | Table
  /** Paragraphs below a title of their own; such as what was said in public of an incident. */
  | { kind: 'words'; title: string; paragraphs: readonly string[] }
  | { kind: 'note'; text: string }

/** What a mail says, whatever it looks like. */
export type ReportMail = {
  company: string
  color: string
  subject: string
  title: string
  /** `October 1 – 31, 2026 · days in Europe/Berlin` */
  period: string
  /** Of a mail to a customer. */
  greeting: string | null
  /** One sentence that says how it was. */
  lead: string | null
  blocks: readonly Block[]
  /** Why somebody gets it, and where it can be changed. */
  footer: readonly string[]
  /** null while the console does not know its own address, and for customers. */
  link: { href: string; text: string } | null
  /** Ends these mails for whoever gets this one. */
  stop: { href: string; text: string } | null
}
