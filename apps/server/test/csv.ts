/** Reads RFC 4180 by its own rules, one record per array. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text)
    if (!match) throw new Error(`not CSV: ${text.slice(0, 80)}`)
    records.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n' && cell.lastIndex < text.length) records.push([])
  }
  return records
}
