import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { createEditor, type Vocabulary } from './editor.ts'
import css from './sql-console.module.css'

export type EditorHandle = { insert: (word: string) => void; focus: () => void }

type Props = {
  text: string
  vocabulary: Vocabulary
  /** Where the server found something wrong. */
  wrongAt: number | null
  handle: Ref<EditorHandle>
  onChange: (text: string) => void
  onRun: () => void
}

/** The field of the query. Loads with its library on first use. */
export function QueryEditor({ text, vocabulary, wrongAt, handle, onChange, onRun }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<ReturnType<typeof createEditor>>(undefined)
  const latest = useRef({ onChange, onRun })
  const initial = useRef({ text, vocabulary })
  useEffect(() => {
    latest.current = { onChange, onRun }
  })

  useEffect(() => {
    if (!place.current) return
    const made = createEditor({
      ...{ parent: place.current, label: 'SQL query', ...initial.current },
      onChange: (next) => latest.current.onChange(next),
      onRun: () => latest.current.onRun(),
    })
    editor.current = made
    return () => {
      made.destroy()
      editor.current = undefined
    }
  }, [])

  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setVocabulary(vocabulary), [vocabulary])
  useEffect(() => editor.current?.mark(wrongAt), [wrongAt])
  useImperativeHandle(handle, () => ({
    insert: (word) => editor.current?.insert(word),
    focus: () => editor.current?.focus(),
  }))

  return <div ref={place} className={css['editor']} />
}
