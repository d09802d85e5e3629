//! Sites of a file that can be mutated, by the rules of cargo-mutants.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ReturnType, Signature, UnOp};

use crate::values;

/// A place in a file, and what can stand there. `$0` and `$1` in the pieces of code are its operands.
pub struct Site {
    pub range: Range<usize>,
    pub operands: [Range<usize>; 2],
    /// The code around the choice.
    pub frame: [&'static str; 2],
    pub original: String,
    pub mutants: Vec<Mutant>,
}

/// A change.
pub struct Mutant {
    pub id: u32,
    /// The line, the function and what is changed.
    pub description: String,
    pub code: String,
}

/// The sites of a file, whose mutants are counted from `first`.
pub fn sites(file: &syn::File, first: u32) -> Vec<Site> {
    let mut finder = Finder { sites: Vec::new(), functions: Vec::new(), next: first };
    finder.visit_file(file);
    // A site stands before those within it, which were found first.
    finder.sites.reverse();
    finder.sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
    finder.sites
}

/// Whether an item is compiled for tests only.
pub fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        meta => meta.path().is_ident("test"),
    })
}

struct Finder {
    sites: Vec<Site>,
    functions: Vec<String>,
    next: u32,
}

impl Finder {
    /// Adds a site with its mutants, each a description and the code.
    fn add(
        &mut self,
        place: Span,
        [range, operands @ ..]: [Range<usize>; 3],
        frame: [&'static str; 2],
        original: String,
        codes: Vec<(String, String)>,
    ) {
        let (line, function) = (place.start().line, self.functions.join("::"));
        let mutants = (self.next..).zip(codes).map(|(id, (change, code))| Mutant {
            id,
            description: format!("{line}: {function}: {change}"),
            code,
        });
        let mutants: Vec<Mutant> = mutants.collect();
        self.next += mutants.len() as u32;
        self.sites.push(Site { range, operands, frame, original, mutants });
    }

    fn function(&mut self, signature: &Signature, block: &Block, visit_body: impl FnOnce(&mut Finder)) {
        if signature.constness.is_some() {
            return;
        }
        self.functions.push(signature.ident.to_string());
        let values = match &signature.output {
            ReturnType::Default => vec!["()".to_owned()],
            ReturnType::Type(_, kind) => values::of(kind),
        };
        let body: String = source(block).split_whitespace().collect();
        let is_new = |value: &String| body != format!("{{{value}}}").replace(' ', "");
        let codes: Vec<_> = values
            .into_iter()
            .filter(is_new)
            .map(|value| (format!("body → {value}"), format!("return {value}")))
            .collect();
        if !block.stmts.is_empty() && !codes.is_empty() {
            let start = block.brace_token.span.open().byte_range().end;
            let place = start..start;
            self.add(
                signature.ident.span(),
                [place.clone(), place.clone(), place],
                ["", ";"],
                String::new(),
                codes,
            );
        }
        visit_body(self);
        self.functions.pop();
    }

    fn named(&mut self, name: String, visit: impl FnOnce(&mut Finder)) {
        self.functions.push(name);
        visit(self);
        self.functions.pop();
    }
}

fn source(node: &impl Spanned) -> String {
    node.span().source_text().unwrap_or_default()
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Whether an expression is a `let` of a condition, or a chain with one.
fn is_chain(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            is_chain(&binary.left) || is_chain(&binary.right)
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        visit::visit_expr_binary(self, binary);
        let Some((operator, others)) = others(&binary.op) else { return };
        if is_chain(&binary.left) || is_chain(&binary.right) {
            return;
        }
        // An operator that compares takes references, one that assigns takes a place, and `&&` looks at its right side at need.
        let (frame, [left, right]) = match operator {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                (["(match (&($0), &($1)) { (left_, right_) => ", "})"], ["*left_", "*right_"])
            }
            "&&" | "||" => (["(match $0 { left_ => ", "})"], ["left_", "($1)"]),
            _ if operator.ends_with('=') => (["(match $1 { right_ => ", "})"], ["$0", "right_"]),
            _ => (["(match ($0, $1) { (left_, right_) => ", "})"], ["left_", "right_"]),
        };
        let code = |operator: &str| format!("{left} {operator} {right}");
        let codes = others.iter().map(|&other| (format!("{operator} → {other}"), code(other))).collect();
        let ranges = [range(binary), range(&binary.left), range(&binary.right)];
        self.add(binary.op.span(), ranges, frame, code(operator), codes);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        visit::visit_expr_unary(self, unary);
        let operator = match unary.op {
            UnOp::Not(_) => "!",
            UnOp::Neg(_) => "-",
            _ => return,
        };
        let frame = ["(match $0 { value_ => ", "})"];
        let codes = vec![(format!("delete {operator}"), "value_".to_owned())];
        let operand = range(&unary.expr);
        self.add(
            unary.op.span(),
            [range(unary), operand.clone(), operand],
            frame,
            format!("{operator}value_"),
            codes,
        );
    }

    fn visit_expr_match(&mut self, matching: &'ast syn::ExprMatch) {
        visit::visit_expr_match(self, matching);
        let has_rest = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none();
        let has_rest = matching.arms.iter().any(has_rest);
        for arm in &matching.arms {
            let pattern: String = source(&arm.pat).split_whitespace().collect();
            if let Some((_, guard)) = &arm.guard {
                let code = |value: &str| (format!("guard of {pattern} → {value}"), value.to_owned());
                let place = range(guard);
                let codes = vec![code("true"), code("false")];
                self.add(
                    guard.span(),
                    [place.clone(), place.clone(), place],
                    ["(", ")"],
                    "$0".to_owned(),
                    codes,
                );
            } else if has_rest && !matches!(arm.pat, syn::Pat::Wild(_)) {
                let end = range(&arm.pat).end;
                let code = (format!("delete the arm {pattern}"), "false".to_owned());
                self.add(
                    arm.pat.span(),
                    [end..end, end..end, end..end],
                    [" if ", " "],
                    "true".to_owned(),
                    vec![code],
                );
            }
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.function(&item.sig, &item.block, |finder| finder.visit_block(&item.block));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.function(&item.sig, &item.block, |finder| finder.visit_block(&item.block));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, |finder| finder.visit_block(block));
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_for_tests(&item.attrs) {
            self.named(source(&item.self_ty), |finder| visit::visit_item_impl(finder, item));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    // What the compiler works out, and patterns, can ask no switch.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}
}

/// An operator, and those that take its place.
fn others(operator: &BinOp) -> Option<(&'static str, &'static [&'static str])> {
    Some(match operator {
        BinOp::Eq(_) => ("==", &["!="]),
        BinOp::Ne(_) => ("!=", &["=="]),
        BinOp::And(_) => ("&&", &["||"]),
        BinOp::Or(_) => ("||", &["&&"]),
        BinOp::Lt(_) => ("<", &["==", ">", "<="]),
        BinOp::Gt(_) => (">", &["==", "<", ">="]),
        BinOp::Le(_) => ("<=", &[">"]),
        BinOp::Ge(_) => (">=", &["<"]),
        BinOp::Add(_) => ("+", &["-", "*"]),
        BinOp::Sub(_) => ("-", &["+", "/"]),
        BinOp::Mul(_) => ("*", &["+", "/"]),
        BinOp::Div(_) => ("/", &["%", "*"]),
        BinOp::Rem(_) => ("%", &["/", "+"]),
        BinOp::BitAnd(_) => ("&", &["|", "^"]),
        BinOp::BitOr(_) => ("|", &["&", "^"]),
        BinOp::BitXor(_) => ("^", &["|", "&"]),
        BinOp::Shl(_) => ("<<", &[">>"]),
        BinOp::Shr(_) => (">>", &["<<"]),
        BinOp::AddAssign(_) => ("+=", &["-=", "*="]),
        BinOp::SubAssign(_) => ("-=", &["+=", "/="]),
        BinOp::MulAssign(_) => ("*=", &["+=", "/="]),
        BinOp::DivAssign(_) => ("/=", &["%=", "*="]),
        BinOp::BitAndAssign(_) => ("&=", &["|="]),
        BinOp::BitOrAssign(_) => ("|=", &["&="]),
        BinOp::BitXorAssign(_) => ("^=", &["|="]),
        BinOp::ShlAssign(_) => ("<<=", &[">>="]),
        BinOp::ShrAssign(_) => (">>=", &["<<="]),
        _ => return None,
    })
}
