/**
 * Every function, constructor and method that an entry point exports, with its parameters and their fields, as the
 * types say. So a new function, parameter or option without a row in the tables of calls is found.
 */
import { createRequire } from 'node:module';
import type types from '../../docs/reference/node_modules/typescript/lib/typescript.js';

/** By `require`: `import` reads the whole file twice more, for its names. */
const ts = createRequire(import.meta.url)(
  '../../docs/reference/node_modules/typescript/lib/typescript.js',
) as typeof types;

export interface PublicSignature {
  /** `function`, `new Class`, `Class.method` or, for an accessor with a setter, `Class.field=`. */
  readonly name: string;
  readonly parameters: readonly PublicParameter[];
}

export interface PublicParameter {
  readonly name: string;
  /** Paths of the fields that the types of the parameter name, below the parameter: `min.x`, `mask`. */
  readonly fields: readonly string[];
}

/** Fields of fields are followed so far. */
const MAX_DEPTH = 2;
/** An object of more fields is an object of a library, not one that a caller writes down. */
const MAX_FIELDS = 16;

const OPTIONS: types.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
};

/** Stands for three: the classes that ours extend, of which the reader needs to know that they have many fields. */
const THREE_FILE = 'three.d.ts';
const THREE = `export declare class Object3D {
  ${['parent', 'children', 'up', 'position', 'rotation', 'quaternion', 'scale', 'matrix', 'matrixWorld', 'layers', 'visible', 'castShadow', 'receiveShadow', 'frustumCulled', 'renderOrder', 'animations', 'userData'].map((name) => `${name}: unknown;`).join(' ')}
}
export declare class Group extends Object3D {}`;

/**
 * The signatures of some entry points. Reads only the sources of the library, and nothing for the browser and for
 * three but two classes: their types, of which no field is ours, would take three times as long.
 */
export function publicSignatures(entries: readonly string[]): ReadonlyMap<string, readonly PublicSignature[]> {
  const host = ts.createCompilerHost(OPTIONS);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target, ...rest) =>
    name === THREE_FILE ? ts.createSourceFile(name, THREE, target) : fromDisk(name, target, ...rest);
  host.resolveModuleNameLiterals = (names, file, _, options) =>
    names.map(({ text }) => {
      if (text === 'three') return { resolvedModule: { resolvedFileName: THREE_FILE, extension: ts.Extension.Dts } };
      return text.startsWith('.') ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined };
    });
  const program = ts.createProgram(entries, OPTIONS, host);
  const reader = new SignatureReader(program.getTypeChecker());
  return new Map(entries.map((entry) => [entry, reader.read(program.getSourceFile(entry)!)]));
}

class SignatureReader {
  private readonly checker: types.TypeChecker;

  constructor(checker: types.TypeChecker) {
    this.checker = checker;
  }

  read(file: types.SourceFile): PublicSignature[] {
    const { checker } = this;
    return checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).flatMap((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      if ((symbol.flags & ts.SymbolFlags.Function) !== 0) return [this.signature(exported.name, symbol)];
      return (symbol.flags & ts.SymbolFlags.Class) === 0 ? [] : this.membersOf(exported.name, symbol);
    });
  }

  private membersOf(name: string, symbol: types.Symbol): PublicSignature[] {
    const { checker } = this;
    const isAbstract = symbol.declarations!.some((one) => hasModifier(one, ts.ModifierFlags.Abstract));
    const makers = checker.getTypeOfSymbol(symbol).getConstructSignatures();
    const [maker] = makers.filter(({ declaration }) => declaration === undefined || !isHidden(declaration));
    const own = maker === undefined || isAbstract ? [] : [this.signatureOf(`new ${name}`, maker)];
    const members = checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .filter(({ declarations }) => declarations?.some((one) => isOurs(one) && !isHidden(one)));
    return [
      ...own,
      ...members.flatMap((member) => {
        if (member.declarations!.some((one) => ts.isSetAccessor(one)))
          return [{ name: `${name}.${member.name}=`, parameters: [this.parameter(member)] }];
        const isMethod = (member.flags & ts.SymbolFlags.Method) !== 0;
        return isMethod ? [this.signature(`${name}.${member.name.replace(/^__@(\w+)@.*/, '[$1]')}`, member)] : [];
      }),
    ];
  }

  private signature(name: string, symbol: types.Symbol): PublicSignature {
    return this.signatureOf(name, this.checker.getTypeOfSymbol(symbol).getCallSignatures().at(-1)!);
  }

  private signatureOf(name: string, { parameters }: types.Signature): PublicSignature {
    return { name, parameters: parameters.map((one) => this.parameter(one)) };
  }

  private parameter(symbol: types.Symbol): PublicParameter {
    const fields = [...new Set(this.fieldsOf(this.checker.getTypeOfSymbol(symbol), MAX_DEPTH))];
    return { name: symbol.name, fields };
  }

  /** Fields of interfaces and of types that are written down; objects of classes are no written values. */
  private fieldsOf(type: types.Type, depth: number): string[] {
    if (type.isUnionOrIntersection()) return type.types.flatMap((one) => this.fieldsOf(one, depth));
    const declarations = (type.aliasSymbol ?? type.getSymbol())?.declarations ?? [];
    const isWritten = declarations.some((one) => isOurs(one) && !ts.isClassDeclaration(one));
    const isNoObject = this.checker.isArrayType(type) || type.getCallSignatures().length > 0;
    if (!isWritten || isNoObject || depth === 0 || type.getProperties().length > MAX_FIELDS) return [];
    return type
      .getProperties()
      .filter(({ declarations: own }) => own?.every((one) => isOurs(one) && !isHidden(one)))
      .flatMap((property) => {
        const below = this.fieldsOf(this.checker.getTypeOfSymbol(property), depth - 1);
        return [property.name, ...below.map((path) => `${property.name}.${path}`)];
      });
  }
}

function isOurs(declaration: types.Declaration): boolean {
  return declaration.getSourceFile().fileName.replaceAll('\\', '/').includes('src/') && !isLibrary(declaration);
}

function isLibrary(declaration: types.Declaration): boolean {
  return declaration.getSourceFile().fileName.includes('node_modules');
}

function hasModifier(declaration: types.Declaration, flag: types.ModifierFlags): boolean {
  return (ts.getCombinedModifierFlags(declaration) & flag) !== 0;
}

/** Private, protected, or marked as internal. */
function isHidden(declaration: types.Declaration): boolean {
  return (
    hasModifier(declaration, ts.ModifierFlags.Private | ts.ModifierFlags.Protected) ||
    ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal')
  );
}
