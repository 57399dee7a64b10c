// Opens a project in StackBlitz, by a form: no account, and no script of another site in this page.

const ADDRESS = 'https://stackblitz.com/run';

/** @param shown Path of the file that the editor shows first. */
export function postProject(title: string, shown: string, files: Readonly<Record<string, string>>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `${ADDRESS}?file=${encodeURIComponent(shown)}`;
  form.target = '_blank';
  const add = (name: string, value: string): void => {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  };
  add('project[title]', title);
  add('project[template]', 'node');
  for (const [path, content] of Object.entries(files)) add(`project[files][${path}]`, content);
  document.body.append(form);
  form.submit();
  form.remove();
}
