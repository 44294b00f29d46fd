import { expect, test } from 'vitest'
import { detailsOf } from '../src/features/audit/audit-words.ts'
import { deedSentences } from '../src/features/audit/deed-sentences.ts'
import { sampleEntry } from './audit-samples.ts'
import { writtenActions } from './written-actions.ts'

/** A deed is told in each of its states; all others say once what was done. */
function sentencesOf(action: string): string[] {
  const done = detailsOf(sampleEntry(action, null, 'done'))
  if (!(action in deedSentences)) return [done]
  const [begun, failed] = [sampleEntry(action, 'requested', 'done'), sampleEntry(action, 'failed', 'failed')]
  return [...new Set([done, detailsOf(begun), detailsOf(failed)])]
}

test('all sentences of the audit log on one page', async () => {
  const actions = await writtenActions()
  const lines = actions.flatMap((action) => sentencesOf(action).map((sentence) => `- ${sentence}`))
  await expect(`${['# Sentences of the audit log', '', ...lines].join('\n')}\n`).toMatchFileSnapshot(
    './pages/audit-sentences.md',
  )
})
