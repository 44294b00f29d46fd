import { setFlagsFromString } from 'node:v8'

export * from './mrr.ts'

export default async function sync(rows: any): Promise<void> {
  console.log(process.env.PORT, rows)
}

export function start(): void {
  setFlagsFromString('--max-lazy')
  sync([])
}
