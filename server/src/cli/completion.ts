/** Completion in shells: a script that is made from the tree of commands, and that starts no process itself. */
import { Argument, type Command, type Option } from 'commander';
import { print, printJson } from './output.ts';

/** One command of the tree. */
interface Node {
  /** The names of the command and of those above it, without the program: `tenant create`. */
  path: string;
  words: { name: string; description: string }[];
  options: { name: string; description: string; value: 'none' | 'file' | 'text' | readonly string[] }[];
  /** What the first argument can be. */
  choices: readonly string[];
}

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Options that take the name of a file. */
const fileOptions = new Set(['--database', '--file', '--output']);

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)))
    .summary('print a script that completes commands and options in bash, zsh or fish')
    .description(
      'print a script that completes commands and options of product-passport. ' +
        'bash: eval "$(product-passport completion bash)" in ~/.bashrc. ' +
        'zsh: eval "$(product-passport completion zsh)" in ~/.zshrc, after compinit. ' +
        'fish: product-passport completion fish > ~/.config/fish/completions/product-passport.fish',
    )
    .option('--json', 'print one line of JSON instead of text')
    .action((shell: keyof typeof shells, { json }: { json?: boolean }) => {
      const script = shells[shell](nodesOf(program, ''));
      if (json) printJson({ shell, script });
      else print(script);
    });
}

function nodesOf(command: Command, path: string): Node[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const pathOf = (name: string): string => (path === '' ? name : `${path} ${name}`);
  const node: Node = {
    path,
    words: commands.map((each) => ({ name: each.name(), description: help.subcommandDescription(each) })),
    options: help.visibleOptions(command).flatMap((option) => optionOf(option)),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  };
  return [node, ...commands.flatMap((each) => nodesOf(each, pathOf(each.name())))];
}

function optionOf({ long, description, required, optional, argChoices, flags }: Option): Node['options'] {
  if (!long) return [];
  const isFile = fileOptions.has(long) || /<(?:file|path)>/.test(flags);
  const value = argChoices ?? (isFile ? 'file' : 'text');
  return [{ name: long, description, value: required || optional ? value : 'none' }];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Works in bash, and in zsh with `bashcompinit`: no variable has the name of one that zsh itself uses, as `path`. */
function bashFunction(nodes: Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== 'none')
      .map(({ name, value }) => `    ${quoted(`${path} ${name}`)}) ${bashValue(value)}; return ;;`),
  );
  const words = nodes.map(({ path, words, options, choices }) => {
    const all = [...words.map(({ name }) => name), ...choices];
    const names = options.map(({ name }) => name);
    return `    ${quoted(path)}) names=${quoted(all.join(' '))} flags=${quoted(names.join(' '))} ;;`;
  });
  return `_product_passport() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at='' next='' index names='' flags=''
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${at:+$at }\${COMP_WORDS[index]}"
    case "$next" in
      ${paths.join(' | ')}) at="$next" ;;
    esac
  done
  case "$at $previous" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$names" -- "$word")) ;;
  esac
}`;
}

function bashValue(value: 'none' | 'file' | 'text' | readonly string[]): string {
  if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$word"))';
  return typeof value === 'string' ? 'COMPREPLY=()' : `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$word"))`;
}

function bashScript(nodes: Node[]): string {
  return `${bashFunction(nodes)}\ncomplete -F _product_passport product-passport`;
}

function zshScript(nodes: Node[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(nodes)}`;
}

function fishScript(nodes: Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => fishQuoted(path));
  return `function __product_passport_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next $path $word
    if contains -- "$next" ${paths.join(' ')}
      set path $next
    end
  end
  test "$path" = "$argv[1]"
end
complete -c product-passport -f
${nodes.flatMap(fishLines).join('\n')}`;
}

function fishLines({ path, words, options, choices }: Node): string[] {
  const at = `complete -c product-passport -n ${fishQuoted(`__product_passport_at ${fishQuoted(path)}`)}`;
  return [
    ...words.map(({ name, description }) => `${at} -a ${name} -d ${fishQuoted(description)}`),
    ...(choices.length > 0 ? [`${at} -a ${fishQuoted(choices.join(' '))}`] : []),
    ...options.map(({ name, description, value }) => {
      const given = value === 'none' ? '' : ' -x';
      const values = typeof value === 'string' ? '' : ` -a ${fishQuoted(value.join(' '))}`;
      return `${at} -l ${name.slice(2)}${value === 'file' ? ' -r -F' : given}${values} -d ${fishQuoted(description)}`;
    }),
  ];
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
