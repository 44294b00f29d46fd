import type { SqlView } from '@agency/contract/types'
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'

export type Vocabulary = { views: readonly SqlView[]; functions: readonly string[] }

type Options = {
  parent: HTMLElement
  label: string
  text: string
  vocabulary: Vocabulary
  onChange: (text: string) => void
  onRun: () => void
}

const setMark = StateEffect.define<number | null>()
const wrong = Decoration.mark({ class: 'sql-wrong' })

/** Underlines the word at which something is wrong, until it is typed over. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    const effect = transaction.effects.find((one) => one.is(setMark))
    if (!effect) return transaction.docChanged ? Decoration.none : before
    const at: number | null = effect.value
    const { doc } = transaction.state
    if (at === null || at >= doc.length) return Decoration.none
    const word = /^[\w$]+|^./u.exec(doc.sliceString(at, Math.min(doc.length, at + 100)))?.[0] ?? ' '
    return Decoration.set([wrong.range(at, at + word.length)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function namespaceOf(views: readonly SqlView[]): SQLNamespace {
  return Object.fromEntries(
    views.map(({ name, description, columns }) => [
      name,
      {
        self: { label: name, type: 'class', ...(description && { info: description }) },
        children: columns.map(
          (column): Completion => ({
            ...{ label: column.name, type: 'property', detail: column.type },
            ...(column.description && { info: column.description }),
          }),
        ),
      },
    ]),
  )
}

function completeFunctions(functions: readonly string[]) {
  const options = functions.map((label): Completion => ({ label, type: 'function', apply: `${label}(`, boost: -1 }))
  return (context: CompletionContext) => {
    const word = context.matchBefore(/\w+/)
    if (!word || (word.from === word.to && !context.explicit)) return null
    return context.state.sliceDoc(word.from - 1, word.from) === '.'
      ? null
      : { from: word.from, options, validFor: /^\w*$/ }
  }
}

const languageOf = ({ views, functions }: Vocabulary) => [
  sql({ dialect: PostgreSQL, schema: namespaceOf(views) }),
  PostgreSQL.language.data.of({ autocomplete: completeFunctions(functions) }),
]

/**
 * Typing over a selection is done here: the browser's own editing keeps the looks of what it replaces by writing style
 * attributes, which the content security policy refuses.
 */
const overwriting = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    const selection = view.dom.ownerDocument.getSelection()
    if (inputType !== 'insertText' || data === null || !selection?.rangeCount || view.composing) return false
    const range = event.getTargetRanges()[0] ?? selection.getRangeAt(0)
    if (range.collapsed) return false
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    const insert = () =>
      view.state.update({
        ...{ changes: { from, to, insert: data }, selection: { anchor: from + data.length } },
        ...{ userEvent: 'input.type', scrollIntoView: true },
      })
    const isDone = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))
    if (!isDone) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})

/** The field for SQL: colours, completion of what there is, and Ctrl+Enter to run it. Tab leaves it. */
export function createEditor({ parent, label, text, vocabulary, onChange, onRun }: Options) {
  const language = new Compartment()
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const run = () => {
    onRun()
    return true
  }
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        syntaxHighlighting(classHighlighter),
        overwriting,
        language.of(languageOf(vocabulary)),
        marks,
        placeholder('select * from customers'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
      ],
    }),
  })
  return {
    setText: (next: string) => {
      if (next !== view.state.doc.toString())
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: next },
          selection: { anchor: next.length },
        })
    },
    setVocabulary: (next: Vocabulary) => view.dispatch({ effects: language.reconfigure(languageOf(next)) }),
    /** Where something is wrong; null takes the mark away. */
    mark: (at: number | null) => {
      view.dispatch({
        effects: setMark.of(at),
        ...(at !== null && { selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true }),
      })
    },
    insert: (word: string) => {
      view.dispatch(view.state.replaceSelection(word))
      view.focus()
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
