import { fileURLToPath } from 'node:url'
import { DamagedArchive } from '../../db/archive/sealed-file.ts'
import { startChild } from '../../platform/child/start-child.ts'
import type { StepWork } from '../../platform/runs/durable-run.ts'
import type { AnswerTo, News, Order } from './writer/order.ts'

const writerFile = fileURLToPath(new URL('./writer/main.ts', import.meta.url))
const writerMemoryMb = 256

type Told = Pick<StepWork, 'signal'> & { onNews(news: News): void }

/** Has a backup written or read by a process of its own. */
export async function runWriter<O extends Order>(order: O, { signal, onNews }: Told): Promise<AnswerTo<O>> {
  const writer = await startChild<AnswerTo<O>>(writerFile, {
    // With our environment: how a database is reached may stand there, too.
    ...{ signal, memoryMb: writerMemoryMb },
    onNews: (news) => onNews(news as News),
  })
  try {
    await writer.tell(order)
    return await writer.answer
  } catch (error) {
    throw error instanceof Error && error.name === 'DamagedArchive' ? new DamagedArchive(error.message) : error
  } finally {
    await writer.end()
  }
}
