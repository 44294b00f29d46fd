import type { Block, ReportMail } from './mail.ts'

const line = ({ label, value, note }: { label: string; value: string; note: string | null }): string =>
  `${label}: ${value}${note === null ? '' : ` (${note})`}`

function rowText(head: readonly string[], [name = '', ...cells]: readonly string[]): string {
  if (cells.length === 1) return `- ${name}: ${cells[0]}`
  const named = cells.flatMap((cell, index) => (cell === '' ? [] : [`${head[index + 1]}: ${cell}`]))
  return named.length === 0 ? `- ${name}` : `- ${name}. ${named.join(', ')}`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'figures':
      return [...(block.title === null ? [] : [block.title]), ...block.figures.map(line)].join('\n')
    case 'table': {
      const rows = block.rows.map((row) => rowText(block.head, row))
      return [block.title, ...(rows.length === 0 ? [block.none] : rows)].join('\n')
    }
    case 'words':
      return [block.title, ...block.paragraphs].join('\n')
    case 'note':
      return block.text
  }
}

/** The same mail for those who read no pages. */
export function toText({ title, period, company, greeting, lead, blocks, link, footer, stop }: ReportMail): string {
  const parts = [
    `${title}\n${period}`,
    ...(greeting === null ? [] : [greeting]),
    ...(lead === null ? [] : [lead]),
    ...blocks.map(blockText),
    ...(link === null ? [] : [`${link.text}: ${link.href}`]),
    [...footer, ...(stop === null ? [] : [`${stop.text}: ${stop.href}`]), company].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}
