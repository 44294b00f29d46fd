import { readFile } from 'node:fs/promises'

/** Of pino (https://getpino.io/#/docs/api?id=loggerlevels-object): from there on somebody has to look. */
const warning = 40

/** The warnings and errors that a console has logged since then, a line each, the newest last. */
export async function complaintsOf(log: string, since: number): Promise<string> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => {
    const { level, time } = read(line)
    return level >= warning && time >= since
  })
  return lines.slice(-20).join('\n')
}

/** What stands in the log before its keeper says that the console fell; none while it never did. */
export async function fallOf(log: string): Promise<string | undefined> {
  const output = await readFile(log, 'utf8')
  const said = /^Agency Console fell .*$/m.exec(output)
  return said ? output.slice(0, said.index + said[0].length).slice(-8000) : undefined
}

function read(line: string): { level: number; time: number } {
  try {
    const { level, time } = JSON.parse(line) as { level?: number; time?: number | string }
    return { level: level ?? 0, time: new Date(time ?? 0).getTime() }
  } catch {
    // The console says in words of its own where it is.
    return { level: 0, time: 0 }
  }
}
